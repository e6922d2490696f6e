"""Task `noam_learning_rate` of exercise 10."""

from course_checks.cases import Case, refusal
from course_checks.task import Task
from course_checks.transformer.shared import UNIT

task = Task("noam_learning_rate", UNIT)
_PLOT = "plot the rate for steps 1 to 1000 with 100 warm-up steps: a line up to a peak, then a slow fall"


@task.oracle
def right(step: int, d_model: int, warmup_steps: int = 4000) -> float:
    """Compute the peak first, and from it the two branches."""
    peak = 1 / (d_model * warmup_steps) ** 0.5
    return peak * step / warmup_steps if step < warmup_steps else peak * (warmup_steps / step) ** 0.5


# fmt: off
_BRACKETS = ("an exponent that is a fraction, without brackets: `a**-1 / 2` is `(a**-1) / 2`",
             "compute 4**-1 / 2 in a cell, and the root of 1 / 4 by hand")
task.edit("d_model**-0.5 * ", {
    "": ("the factor with d_model is missing", _PLOT),
    "d_model**0.5 * ": ("the sign of the exponent of d_model", _PLOT, "wide models get larger rates"),
    "d_model**-1 / 2 * ": _BRACKETS,
    "d_model**-1 * ": ("the rate is divided by d_model, not by its root", _PLOT)})
task.edit("step**-0.5", {
    "step**-1 / 2": _BRACKETS,
    "step**-1": ("the rate falls with the step, not with its root", _PLOT),
    "step**0.5": ("the sign of the exponent of step in the branch after the warm-up", _PLOT)})
task.edit("warmup_steps**-1.5", {
    "warmup_steps**-3 / 2": _BRACKETS,
    "4000**-1.5": ("`warmup_steps` is not used: a number stands in its place", _PLOT),
    "warmup_steps**-1": ("the exponent of warmup_steps is -1: do the branches meet at the end of the warm-up?", _PLOT),
    "warmup_steps**-0.5": ("the exponent of warmup_steps is -1/2: do the branches meet at the end of the warm-up?",
                           _PLOT),
    "warmup_steps**1.5": ("the sign of the exponent of warmup_steps", _PLOT, "there is no warm-up")})
task.edit_places({"d_model**-0.5": "d_model**-1 / 2", "step**-0.5": "step**-1 / 2",
                  "warmup_steps**-1.5": "warmup_steps**-3 / 2"}, *_BRACKETS)
task.edit("min(step**-0.5, step * warmup_steps**-1.5)", {
    "step * warmup_steps**-1.5": ("the branch after the warm-up is missing", _PLOT, "the rate never falls"),
    "step**-0.5": ("the branch of the warm-up is missing", _PLOT, "the rate falls from the first step on")})
task.edit("min(", {"max(": (
    "`max` in the place of `min`, or the two branches are exchanged", _PLOT,
    "the rate is lowest where it should be highest")})
task.edit("return", {
    "step += 1\nreturn": ("the step is counted from 0; here the first one is number 1", _PLOT,
                          "the rate is one step ahead"),
    "step = max(step - 1, 1e-9)\nreturn": ("one is subtracted from the step", _PLOT, "the rate is one step behind")})
task.edit("= 4000", {
    "= 1000": ("another number is taken where warmup_steps is left out", "compare the default with the task")})
# fmt: on


def rates(*arguments):
    """Make a case of each of these arguments."""
    return [Case("step {}, d_model {}, warm-up steps {}".format(*each, *["left out"][: 3 - len(each)]), each)
            for each in arguments]  # fmt: skip


task.require("the rate rises in a line to its peak, and falls with the root of the step",
    "the formula of the task, at every step",
    rates((50, 64, 100), (1, 512, 4000), (4000, 512, 4000), (16_000, 512, 4000), (3000, 512)),
    rates((99, 48, 100), (101, 48, 100), (1000, 7, 5), (5, 1, 9), (2000, 1024, 16_000), (9, 16)), _PLOT)  # fmt: skip
task.limits(
    "one warm-up step, and numbers below 1 are refused",
    [*rates((1, 7, 1), (9, 7, 1)), refusal("step 0", (0, 512, 4000), "step"),
     refusal("d_model 0", (1, 0, 4000), "d_model"), refusal("no warm-up steps", (1, 512, 0), "warmup_steps")],
)  # fmt: skip
