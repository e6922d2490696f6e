"""Task `fixed_query_step` of exercise 05: two bugs to find."""

import torch

from course_checks.cases import Case
from course_checks.softmax_jacobian.shared import AVERAGE, DERIVATIVES, READY_MADE, UNIT, by_autograd, softmax_backward
from course_checks.task import Task
from course_checks.words import Wrong

task = Task("fixed_query_step", UNIT, (*DERIVATIVES, *READY_MADE))
_AUTOGRAD = "compare the gradient with autograd's for one query: which line is the first that differs?"


@task.oracle
def right(query, key, value, target, step_size):
    """Ask autograd for the slope of half the squared distance."""

    def loss(query):
        output = torch.softmax(key @ query / query.shape[-1] ** 0.5, -1) @ value
        return 0.5 * (output - target).square().sum()

    return query - step_size * by_autograd(loss, torch.ones((), dtype=query.dtype), query)[0].detach()


@task.pipeline(
    average={name: AVERAGE[name] for name in ("none", "own", "plain", "sum")},
    scale={
        "missing": Wrong("the scores are divided by the scale on the way forward; the way back does not know of it",
                         "the length of the step is not right",
                         "write down the derivative of a score with respect to the query"),
        "twice": Wrong("the division by the scale is there twice on the way back",
                       "the length of the step is not right", "one division forward, one back"),
        "times": Wrong("it is multiplied by the scale on the way back", "the length of the step is not right",
                       "write down the derivative of a score with respect to the query"),
    },
    sign={"up": Wrong("the step, or the gradient of the loss, has the other sign",
                      "the step goes up the slope", _AUTOGRAD)},
    loss={"doubled": Wrong("the gradient of the loss is doubled, or halved", "", _AUTOGRAD),
          "target": Wrong("the target is not subtracted", "", _AUTOGRAD)},
)  # fmt: skip
def fixed_query_step(query, key, value, target, step_size, *, average="right", scale="once", sign="down", loss="half"):
    """Fix with one choice for each line."""
    root = query.shape[-1] ** 0.5
    weights = torch.softmax(key @ query / root, dim=-1)
    grad_output = weights @ value - (0 if loss == "target" else target)
    grad_output = 2 * grad_output if loss == "doubled" else grad_output
    grad_scores = softmax_backward(weights, value @ grad_output, average)
    grad_query = grad_scores @ key / {"missing": 1, "twice": root**2, "times": 1 / root}.get(scale, root)
    return query + step_size * grad_query if sign == "up" else query - step_size * grad_query


def inputs(d_k, n, d_v, step_size):
    """Draw a query, keys, values and a target, and name the step size."""
    double = {"dtype": torch.float64}
    return lambda draw: (
        draw(d_k, **double),
        draw(n, d_k, **double),
        draw(n, d_v, **double),
        draw(d_v, **double),
        step_size,
    )


task.require(
    "the step goes straight down the slope of the loss",
    "query minus step_size times the gradient of the loss",
    [Case("d_k = 9, 6 keys, d_v = 4, step size 0.5", inputs(9, 6, 4, 0.5))],
    [Case("more numbers, a small step", inputs(16, 5, 3, 0.1)), Case("d_k = 2", inputs(2, 7, 4, 3.0)),
     Case("all sizes equal", inputs(4, 4, 4, 1.0)), Case("one number", inputs(1, 3, 2, 1.0))],
)  # fmt: skip
