"""Task `layer_norm_backward` of exercise 09, the stretch."""

import torch
from torch.nn import functional as F

from course_checks.cases import Case
from course_checks.task import Task
from course_checks.transformer_blocks.shared import UNIT

task = Task("layer_norm_backward", UNIT, ("layer_norm", "autograd", "backward"))
_WAYS = "write down how one feature of x reaches every y: directly, through the mean, through the variance"


@task.oracle
def right(x, weight, grad_output, eps=1e-5):
    """Ask autograd."""
    leaf = x.detach().clone().requires_grad_()
    return torch.autograd.grad(F.layer_norm(leaf, weight.shape, weight, None, eps), leaf, grad_output)[0]


# fmt: off
task.edit("scaled.mean(-1, keepdim=True) - normal * along", {
    "0": ("mean and variance are taken for constants; both depend on x", _WAYS),
    "scaled.mean(-1, keepdim=True)": ("the variance is taken for a constant; it depends on x", _WAYS),
    "normal * along": ("the mean is taken for a constant; it depends on x", _WAYS)})
task.edit("- normal * along", {"+ normal * along": ("the part through the variance has the wrong sign", _WAYS)})
task.edit("scaled.mean(", {"scaled.sum(": (
    "the part through the mean is summed over the features, not averaged", _WAYS)})
task.edit_places({"scaled.mean(": "scaled.sum(", "(scaled * normal).mean(": "(scaled * normal).sum("},
                 "the parts through mean and variance are summed over the features, not averaged", _WAYS)
task.edit("(centred.square().mean(-1, keepdim=True) + eps).sqrt()", {
    "(centred.square().mean(-1, keepdim=True).sqrt() + eps)": (
        "eps is added to the standard deviation, outside the root", "under the root it stands beside the variance")})
task.edit("grad_output * weight", {"grad_output": ("grad_output is not multiplied by weight", _WAYS)})
task.edit_places({"grad_output * weight": "grad_output", ") / deviation": ") / deviation * weight"},
                 "grad_output is multiplied by weight at the end, not at the start", _WAYS)
task.edit(") / deviation", {
    ")": ("there is no division by the standard deviation", _WAYS),
    ") / deviation**2": ("the division is by the variance, not by its root", _WAYS)})
task.edit("centred.square().mean(-1, keepdim=True)", {"x.var(-1, keepdim=True)": (
    "the variance is divided by d_model - 1 (the default of `std` and `var`), not by d_model",
    "see `unbiased` or `correction`")})
task.edit("(scaled * normal).mean(", {"(scaled * normal).sum(": (
    "the part through the variance is summed over the features, not averaged", _WAYS)})
task.edit(" + eps", {"": ("eps is left out", _WAYS)})
# fmt: on


def inputs(*shape, eps=(0.5,), scale=1.0):
    """Draw x, weight and grad_output."""
    return lambda draw: (draw(*shape, scale=scale).double(), draw(shape[-1]).double(), draw(*shape).double(), *eps)


task.require("the gradient takes three ways", "the gradient with respect to x",
    [Case("eps = 0.5, 2 sentences of 5 words, d_model = 8", inputs(2, 5, 8)),
     Case("eps left out of the call, small numbers", inputs(5, 6, eps=(), scale=0.01)), Case("one word", inputs(7))],
    hint=_WAYS)  # fmt: skip
