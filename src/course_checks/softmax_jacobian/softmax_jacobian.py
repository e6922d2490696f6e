"""Task `softmax_jacobian` of exercise 05."""

import math

import torch

from course_checks.cases import Case, drawn, gradients, refusal
from course_checks.scaled_dot_product_attention.shared import right_softmax
from course_checks.softmax_jacobian.shared import DERIVATIVES, UNIT, double
from course_checks.task import Task

task = Task("softmax_jacobian", UNIT, DERIVATIVES)
_BY_HAND = "work out the 2 x 2 case by hand: what should the entries of a row sum to?"
_CHAIN = "the derivative is with respect to the scores, before the division: the inner function gives a factor"


@task.oracle
def right(scores, scale=1.0):
    """Differentiate each weight with autograd, one after the other; formula again for its own gradient."""
    if scores.requires_grad:
        p = right_softmax(scores / scale)
        return (p[..., None] * (torch.eye(p.shape[-1], dtype=p.dtype) - p[..., None, :])) / scale
    leaf = scores.detach().clone().requires_grad_()
    with torch.enable_grad():
        weights = right_softmax(leaf / scale)
        rows = [torch.autograd.grad(each.sum(), leaf, retain_graph=True)[0] for each in weights.unbind(-1)]
    return torch.stack(rows, -2)


# fmt: off
_OUTER = "entry (i, j) of p^T p is p_i * p_j"
_ALONE = ("the second term is one weight alone, not the product of two", _OUTER)
_COLUMN = f"{_OUTER}: one p stands as a column, the other as a row"
_DIVIDED, _LAST = "softmax(scores / scale)", "softmax over the last dimension"
task.edit("torch.diag_embed(weights) - products", {
    "torch.diag_embed(weights * (1 - weights))": ("p (1 - p) is the derivative of each weight with respect to its own "
        "score only", "when one score grows, what do the other weights do?", "everything off the diagonal is 0"),
    "-products": ("the first term, diag(p), is missing", _BY_HAND, "the numbers on the diagonal are not right"),
    "torch.eye(weights.shape[-1]) - products": ("the identity matrix in the place of diag(p)", _BY_HAND,
        "the numbers on the diagonal are too large"),
    "torch.diag_embed(weights)": ("the second term, p^T p, is missing", _BY_HAND, "everything off the diagonal is 0"),
    "torch.diag_embed(weights) + products": ("p^T p is added where it should be subtracted",
        "when one score grows, do the other weights grow too?", "every number is positive"),
})
task.edit("weights.unsqueeze(-1) * weights.unsqueeze(-2)", {
    "weights.unsqueeze(-1) ** 2": (
        "each weight is multiplied with itself, by broadcasting the same column twice", _COLUMN),
    "weights.unsqueeze(-2) ** 2": (
        "the product is that of each weight with itself, not with the other weights", _COLUMN),
    "torch.einsum('...i,...j->ij', weights, weights)": ("p^T p is summed over the rows, or taken of all of them "
        "together: each row of scores has its own", "print the shape of p^T p: a matrix for each row of scores"),
    "weights.unsqueeze(-2)": _ALONE, "weights.unsqueeze(-1)": _ALONE,
    "weights.square().sum(-1)[..., None, None]": ("p^T p is taken as a dot product, one number a row", _OUTER),
})
task.edit("torch.diag_embed(weights)", {"torch.diag(weights.flatten()[: weights.shape[-1]])": (
    "diag(p) is made of the first row alone, for all rows", "which function makes a diagonal matrix of every row?",
    "the first row is right, the others are not")})
task.edit("return ", {"return -": ("the two terms change places", _BY_HAND, "every number has the wrong sign")})
task.edit("products) / scale", {
    "products)": ("the factor 1 / scale of the inner function is missing", _CHAIN, "too large by the scale"),
    "products) * scale": ("it is multiplied by the scale where it should be divided", _CHAIN),
    "products) / scale**2": ("it is divided by the scale twice", _CHAIN, "too small by the scale"),
})
task.edit("(scores / scale)", {
    "(scores)": ("the scores are not divided by the scale before softmax", _DIVIDED),
    "(scores * scale)": ("the scores are multiplied by the scale before softmax", _DIVIDED),
})
task.edit("softmax(scores / scale)", {
    "torch.softmax(scores / scale, -2)": ("softmax runs over the dimension before the last", _LAST),
    "torch.softmax(scores / scale, 0)": ("softmax runs over the first dimension", _LAST),
    "scores / scale": ("the scores are taken for weights: softmax is missing", f"p = {_DIVIDED}"),
    "torch.softmax(scores / scale, -1)": ("a row of nothing but -inf becomes NaN in torch's softmax",
        "the imported `softmax` gives zeros for such a row", "the row is NaN"),
})
# fmt: on


def hidden(*shape, scale):
    """Draw scores, some of them -inf, and name the scale."""
    return lambda draw: (draw(*shape, dtype=double).masked_fill(~draw.mask(*shape), -math.inf), scale)


EXPECTED = "entry (i, j) is the derivative of weight i of softmax(scores / scale) with respect to score j"
EMPTY = (torch.tensor([[0.5, -math.inf, 1.5], [-math.inf] * 3]).double(), 2.0)
task.require("every entry is the derivative of a weight with respect to a score", EXPECTED,
             [Case("scores of shape (2, 3, 5), scale 1", drawn("2 3 5", 1.0, dtype=double)),
              Case("scores of shape (2, 4), scale 2.5", drawn("2 4", 2.5, dtype=double)),
              Case("some scores are -inf", hidden(3, 5, scale=1.5)),
              Case("scores around 10 000", (torch.tensor([[1e4, 1e4 - 1, 1e4 - 3]]).double(), 2.0))],
             [Case("one row", drawn("7", 0.5, dtype=double)),
              Case("four dimensions", drawn("2 3 4 5", 3.0, dtype=double)),
              Case("a square", drawn("4 4", 2.0, dtype=double)), Case("no scale given", drawn("3 6", dtype=double)),
              Case("some scores are -inf, with a batch", hidden(2, 3, 4, scale=0.7))])  # fmt: skip
task.require("it can be differentiated again", "the second derivative of softmax",
             [Case("the gradient, scores of shape (2, 3)", drawn("2 3", 2.0, dtype=double), gradients())],
             [Case("the gradient, with a batch", drawn("2 3 4", 0.5, dtype=double), gradients())])  # fmt: skip
task.limits("a row of nothing but -inf, one score, float32, and wrong input",
            [Case("two rows, the second of nothing but -inf", EMPTY),
             Case("rows of one score", drawn("3 1", 1.0, dtype=double)),
             Case("float32", drawn("3 4", 2.0, dtype=torch.float32)), refusal("a single number", (torch.tensor(1.0),)),
             refusal("integers", (torch.tensor([[1, 2, 3]]),)), refusal("a scale of 0", (torch.ones(2, 3), 0.0))],
            "the Jacobian of each row, which is zeros for a row of nothing but -inf")  # fmt: skip
