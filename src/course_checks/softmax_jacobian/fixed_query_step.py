"""Task `fixed_query_step` of exercise 05: two bugs to find."""

import torch

from course_checks.cases import Case, drawn
from course_checks.softmax_jacobian import shared
from course_checks.softmax_jacobian.shared import double
from course_checks.task import Task

task = Task("fixed_query_step", shared.UNIT, (*shared.DERIVATIVES, *shared.READY_MADE))
_AUTOGRAD = "compare the gradient with autograd's for one query: which line is the first that differs?"


@task.oracle
def right(query, key, value, target, step_size):
    """Ask autograd for the slope of half the squared distance."""

    def loss(query):
        output = torch.softmax(key @ query / query.shape[-1] ** 0.5, -1) @ value
        return 0.5 * (output - target).square().sum()

    return query - step_size * shared.by_autograd(loss, torch.ones((), dtype=query.dtype), query)[0].detach()


# fmt: off
_DERIVE = "write down the derivative of a score with respect to the query"
_LENGTH = "the length of the step is not right"
task.edit("weights * (grad_weights - weights @ grad_weights)", {
    "weights * grad_weights": shared.NO_AVERAGE,
    "weights * (1 - weights) * grad_weights": shared.OWN,
    "weights * (grad_weights - grad_weights.mean())": shared.PLAIN,
    "weights * (grad_weights - grad_weights.sum())": shared.SUM,
})
task.edit("grad_scores @ key / scale", {
    "grad_scores @ key": (
        "the scores are divided by the scale on the way forward; the way back does not know of it", _DERIVE, _LENGTH),
    "grad_scores @ key / scale**2": (
        "the division by the scale is there twice on the way back", "one division forward, one back", _LENGTH),
    "grad_scores @ key * scale": ("it is multiplied by the scale on the way back", _DERIVE, _LENGTH),
})
task.edit("query - step_size", {"query + step_size": (
    "the step, or the gradient of the loss, has the other sign", _AUTOGRAD, "the step goes up the slope")})
task.edit("weights @ value - target", {
    "2 * (weights @ value - target)": ("the gradient of the loss is doubled, or halved", _AUTOGRAD),
    "weights @ value": ("the target is not subtracted", _AUTOGRAD),
})
# fmt: on


task.require("the step goes straight down the slope of the loss",
             "query minus step_size times the gradient of the loss",
             [Case("d_k = 9, 6 keys, d_v = 4, step size 0.5", drawn("9; 6 9; 6 4; 4", 0.5, dtype=double))],
             [Case("more numbers, a small step", drawn("16; 5 16; 5 3; 3", 0.1, dtype=double)),
              Case("d_k = 2", drawn("2; 7 2; 7 4; 4", 3.0, dtype=double)),
              Case("all sizes equal", drawn("4; 4 4; 4 4; 4", 1.0, dtype=double)),
              Case("one number", drawn("1; 3 1; 3 2; 2", 1.0, dtype=double))])  # fmt: skip
