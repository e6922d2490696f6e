"""Task `noam_learning_rate` of exercise 10."""

from course_checks.cases import Case, refusal
from course_checks.task import Task
from course_checks.transformer.shared import UNIT
from course_checks.words import Wrong

task = Task("noam_learning_rate", UNIT)
_PLOT = "plot the rate for steps 1 to 1000 with 100 warm-up steps: a line up to a peak, then a slow fall"


@task.oracle
def right(step: int, d_model: int, warmup_steps: int = 4000) -> float:
    """Compute the peak first, and from it the two branches."""
    peak = 1 / (d_model * warmup_steps) ** 0.5
    return peak * step / warmup_steps if step < warmup_steps else peak * (warmup_steps / step) ** 0.5


@task.pipeline(
    width={
        0.0: Wrong("the factor with d_model is missing", "", _PLOT),
        0.5: Wrong("the sign of the exponent of d_model", "wide models get larger rates", _PLOT),
        -1.0: Wrong("the rate is divided by d_model, not by its root", "", _PLOT),
    },
    fall={
        -1.0: Wrong("the rate falls with the step, not with its root", "", _PLOT),
        0.5: Wrong("the sign of the exponent of step in the branch after the warm-up", "", _PLOT),
        None: Wrong("the branch after the warm-up is missing", "the rate never falls", _PLOT),
    },
    rise={
        -1.0: Wrong("the exponent of warmup_steps is -1: do the branches meet at the end of the warm-up?", "", _PLOT),
        -0.5: Wrong("the exponent of warmup_steps is -1/2: do the branches meet at the end of the warm-up?", "", _PLOT),
        1.5: Wrong("the sign of the exponent of warmup_steps", "there is no warm-up", _PLOT),
        None: Wrong("the branch of the warm-up is missing", "the rate falls from the first step on", _PLOT),
    },
    smaller={False: Wrong("`max` in the place of `min`", "the rate is lowest where it should be highest", _PLOT)},
    count={
        1: Wrong("the step is counted from 0; here the first one is number 1", "the rate is one step ahead", _PLOT),
        -1: Wrong("one is subtracted from the step", "the rate is one step behind", _PLOT),
    },
)  # fmt: skip
def noam_learning_rate(step, d_model, warmup_steps=4000, *, width=-0.5, fall=-0.5, rise=-1.5, smaller=True, count=0):
    """Compute the rate with one choice for each part of the formula."""
    step = max(step + count, 1e-9)
    branches = [step**fall] if fall is not None else []
    branches += [step * warmup_steps**rise] if rise is not None else []
    return d_model**width * (min(branches, default=1.0) if smaller else max(branches, default=1.0))


@task.mistake("another number is taken where warmup_steps is left out", hint="compare the default with the task")
def another_default(step, d_model, warmup_steps=1000):
    """Warm up for 1000 steps."""
    return right(step, d_model, warmup_steps)


def rates(*arguments):
    """Make a case of each of these arguments."""
    return [Case("step {}, d_model {}, warm-up steps {}".format(*each, *["left out"][: 3 - len(each)]), each)
            for each in arguments]  # fmt: skip


task.require(
    "the rate rises in a line to its peak, and falls with the root of the step",
    "the formula of the task, at every step",
    rates((50, 64, 100), (1, 512, 4000), (4000, 512, 4000), (16_000, 512, 4000), (3000, 512)),
    rates((99, 48, 100), (101, 48, 100), (1000, 7, 5), (5, 1, 9), (2000, 1024, 16_000), (9, 16)),
    _PLOT,
)
task.limits(
    "one warm-up step, and numbers below 1 are refused",
    [*rates((1, 7, 1), (9, 7, 1)), refusal("step 0", (0, 512, 4000), "step"),
     refusal("d_model 0", (1, 0, 4000), "d_model"), refusal("no warm-up steps", (1, 512, 0), "warmup_steps")],
)  # fmt: skip
