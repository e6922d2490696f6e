"""What several tasks of exercise 05 share: the way back through softmax, and the ways in which it goes wrong."""

import torch
from torch import Tensor

UNIT = "softmax_jacobian"
DERIVATIVES = ("autograd", "backward", "_dual")
READY_MADE = ("scaled_dot_product", "multi_head_attention")
double = torch.float64

_NOT_ZERO = "the rows do not sum to 0"
_MEAN = "what is subtracted is one number for each row: the mean of g under the weights of that row"
# fmt: off
NO_AVERAGE = ("only diag(p) is applied: the term p^T p, the average that is subtracted, is missing", _MEAN, _NOT_ZERO)
OWN = ("p (1 - p) is only the diagonal of softmax's Jacobian: each weight answers to the other scores too",
       "how do the other weights answer when one score grows?", _NOT_ZERO)
PLAIN = ("the plain mean of the gradient is subtracted, not its mean under the weights", _MEAN, _NOT_ZERO)
SUM = ("the sum of the gradient is subtracted, not its mean under the weights", _MEAN, _NOT_ZERO)
BACKWARD = {
    "(grad_weights * weights).sum(dim=-1, keepdim=True)": {
        "0": NO_AVERAGE,
        "grad_weights.mean(dim=-1, keepdim=True)": PLAIN,
        "grad_weights.sum(dim=-1, keepdim=True)": SUM,
        "weights.mean(dim=-1, keepdim=True)": (
            "the mean of the weights is subtracted, not the mean of g under them", _MEAN, _NOT_ZERO),
        "(grad_weights * weights).sum()": (
            "the sum for the average runs over all rows: it has no `dim`", _MEAN, "the rows are mixed"),
        "(weights @ grad_weights.transpose(-2, -1)).sum(dim=-1, keepdim=True)": (
            "a matrix product makes the weights of each row meet the gradients of all rows", _MEAN,
            "the rows are mixed"),
        "(grad_weights * weights).sum(dim=-2, keepdim=True)": (
            "the sum for the average runs over the dimension before the last (dim -2)", _MEAN, "the rows are mixed"),
    },
    "average = ": {"weights = torch.softmax(weights, -1)\naverage = ": (
        "softmax is applied to the weights once more", "the weights come out of softmax already")},
    "weights * (grad_weights - average)": {
        "weights * (1 - weights) * grad_weights": OWN,
        "grad_weights": ("the step back through softmax is left out: the gradient of the weights is taken for that of "
            "the scores", "what does the Jacobian of softmax make of the gradient of the weights?", _NOT_ZERO),
        "(weights * grad_weights - (weights.square() * grad_weights).sum(dim=-1, keepdim=True))": (
            "both factors p of the second term stand inside the sum",
            "of p_i p_j g_j, which factor does not depend on j?", _NOT_ZERO),
        "(grad_weights - average)": (
            "the difference is not multiplied with the weights", "compare with p * (g - average)", _NOT_ZERO),
        "(weights * grad_weights - average)": (
            "the average is subtracted after the product with the weights", "set brackets: p * (g - average)",
            _NOT_ZERO),
        "(weights - grad_weights)": (
            "the weights minus the gradient: the short formula of softmax followed by cross entropy",
            "here any gradient may come: write down the Jacobian times g, and simplify"),
        "weights * (average - grad_weights)": (
            "the gradient is subtracted from its average, not the average from the gradient",
            "when g is large at one place only, should that score go up?", "every number has the wrong sign"),
    },
}
# fmt: on


def by_autograd(function, upstream: Tensor, *inputs: Tensor) -> tuple[Tensor, ...]:
    """Let autograd carry a gradient back through a function, in a way that can be differentiated again."""
    leaves = [x if x.requires_grad else x.detach().clone().requires_grad_() for x in inputs]
    with torch.enable_grad():
        return torch.autograd.grad(function(*leaves), leaves, upstream, create_graph=True)
