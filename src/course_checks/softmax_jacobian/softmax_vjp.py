"""Task `softmax_vjp` of exercise 05."""

import torch

from course_checks.cases import Case, Draw, gradients, refusal
from course_checks.sizes import largest_tensor
from course_checks.softmax_jacobian.shared import BACKWARD, DERIVATIVES, UNIT, double
from course_checks.task import Task

task = Task("softmax_vjp", UNIT, DERIVATIVES)


@task.oracle
def right(weights, grad_weights):
    """Multiply with the Jacobian, written out."""
    jacobian = torch.diag_embed(weights) - torch.einsum("...i,...j->...ij", weights, weights)
    return torch.einsum("...ij,...i->...j", jacobian, grad_weights)


# fmt: off
_MATRIX = ("the whole Jacobian is formed", "what is g p^T p, read from the left?")
for old, wrong in BACKWARD.items():
    task.edit(old, wrong)
task.edit("return weights * (grad_weights - average)", {
    "return grad_weights * (weights - average)": (
        "the two arguments change places: weights and gradient", "which of the two sums to 1 in each row?"),
    "jacobian = weights.diag_embed() - weights.unsqueeze(-1) * weights.unsqueeze(-2)\n"
    "return (jacobian @ grad_weights.unsqueeze(-1)).squeeze(-1)": _MATRIX,
})
# fmt: on


def inputs(*shape, dtype=double):
    """Draw weights whose rows sum to 1, and a gradient."""
    return lambda draw: (torch.softmax(draw(*shape, dtype=dtype), -1), draw(*shape, dtype=dtype))


@task.probe("no matrix is formed", "no tensor on the way is as large as the Jacobian", *_MATRIX)
def forms_a_matrix(answer):
    """3 rows of 500 weights."""
    numbers = largest_tensor(answer, *inputs(3, 500)(Draw("matrix")))
    return f"a tensor of {numbers:,} numbers arises" if numbers >= 500 * 500 else None


EXPECTED = "the gradient of the weights, times the Jacobian of softmax"
task.require(
    "the gradient of the scores",
    EXPECTED,
    [Case("weights of shape (2, 3, 5)", inputs(2, 3, 5)), Case("one row", inputs(6)),
     Case("weights of 0 and 1",
          lambda draw: (torch.tensor([[0.0, 1.0, 0.0], [0.5, 0.0, 0.5]]).double(), draw(2, 3, dtype=double)))],
    [Case("four dimensions", inputs(2, 3, 5, 4)), Case("a square", inputs(4, 4)),
     Case("all sizes equal", inputs(3, 3, 3)), Case("many weights", inputs(2, 40))],
)  # fmt: skip
task.require("it can be differentiated again", "the derivative of the result with respect to both arguments",
             [Case("the gradient, shape (2, 3)", inputs(2, 3), gradients())],
             [Case("the gradient, with a batch", inputs(2, 4, 3), gradients())])  # fmt: skip
task.limits("weights of 0, one weight, float32, and wrong input",
            [Case("a row of weights that are all 0", (torch.zeros(2, 3), torch.ones(2, 3))),
             Case("rows of one weight", inputs(3, 1)), Case("float32", inputs(3, 5, dtype=torch.float32)),
             refusal("a gradient of another length", (torch.ones(2, 3), torch.ones(2, 2))),
             refusal("integers", (torch.tensor([0, 1]), torch.tensor([2, 3])))])  # fmt: skip
