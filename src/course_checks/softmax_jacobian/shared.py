"""What several tasks of exercise 05 share: the way back through softmax, and the ways in which it goes wrong."""

import torch
from torch import Tensor

from course_checks.words import Wrong

UNIT = "softmax_jacobian"
DERIVATIVES = ("autograd", "backward", "_dual")
READY_MADE = ("scaled_dot_product", "multi_head_attention")

_NOT_ZERO = "the rows do not sum to 0"
_MEAN = "what is subtracted is one number for each row: the mean of g under the weights of that row"
AVERAGE = {
    "none": Wrong("only diag(p) is applied: the term p^T p, the average that is subtracted, is missing", _NOT_ZERO,
                  _MEAN),
    "own": Wrong("p (1 - p) is only the diagonal of softmax's Jacobian: each weight answers to the other scores too",
                 _NOT_ZERO, "how do the other weights answer when one score grows?"),
    "plain": Wrong("the plain mean of the gradient is subtracted, not its mean under the weights", _NOT_ZERO, _MEAN),
    "sum": Wrong("the sum of the gradient is subtracted, not its mean under the weights", _NOT_ZERO, _MEAN),
    "weights": Wrong("the mean of the weights is subtracted, not the mean of g under them", _NOT_ZERO, _MEAN),
    "all rows": Wrong("the sum for the average runs over all rows: it has no `dim`", "the rows are mixed", _MEAN),
    "columns": Wrong("the sum for the average runs over the dimension before the last (dim -2)", "the rows are mixed",
                     _MEAN),
    "softmax again": Wrong("softmax is applied to the weights once more", "",
                           "the weights come out of softmax already"),
}  # fmt: skip
PRODUCT = {
    "missing": Wrong("the difference is not multiplied with the weights", _NOT_ZERO, "compare with p * (g - average)"),
    "average outside": Wrong("the average is subtracted after the product with the weights", _NOT_ZERO,
                             "set brackets: p * (g - average)"),
    "cross entropy": Wrong("the weights minus the gradient: the short formula of softmax followed by cross entropy",
                           "", "here any gradient may come: write down the Jacobian times g, and simplify"),
    "sign": Wrong("the gradient is subtracted from its average, not the average from the gradient",
                  "every number has the wrong sign", "when g is large at one place only, should that score go up?"),
}  # fmt: skip


def softmax_backward(p: Tensor, g: Tensor, average: str = "under the weights", product: str = "right") -> Tensor:
    """Go back through softmax, with one choice for what is subtracted and one for the product."""
    p = torch.softmax(p, -1) if average == "softmax again" else p
    if average == "own":
        return p * (1 - p) * g
    rows = -2 if p.dim() > 1 else -1
    mean = {
        "none": lambda: 0.0,
        "plain": lambda: g.mean(-1, keepdim=True),
        "sum": lambda: g.sum(-1, keepdim=True),
        "weights": lambda: p.mean(-1, keepdim=True),
        "all rows": lambda: (p * g).sum(),
        "columns": lambda: (p * g).sum(rows, keepdim=True),
    }.get(average, lambda: (p * g).sum(-1, keepdim=True))()
    return {
        "missing": lambda: g - mean,
        "average outside": lambda: p * g - mean,
        "cross entropy": lambda: p - g,
        "sign": lambda: p * (mean - g),
    }.get(product, lambda: p * (g - mean))()


def by_autograd(function, upstream: Tensor, *inputs: Tensor) -> tuple[Tensor, ...]:
    """Let autograd carry a gradient back through a function, in a way that can be differentiated again."""
    leaves = [x if x.requires_grad else x.detach().clone().requires_grad_() for x in inputs]
    with torch.enable_grad():
        return torch.autograd.grad(function(*leaves), leaves, upstream, create_graph=True)
