"""Task `softmax_jacobian` of exercise 05."""

import math

import torch

from course_checks.cases import Case, gradients, refusal
from course_checks.scaled_dot_product_attention.shared import right_softmax
from course_checks.softmax_jacobian.shared import DERIVATIVES, UNIT
from course_checks.task import Task
from course_checks.words import Wrong

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


@task.pipeline(
    diagonal={
        "only": Wrong("p (1 - p) is the derivative of each weight with respect to its own score only",
                      "everything off the diagonal is 0", "when one score grows, what do the other weights do?"),
        "missing": Wrong("the first term, diag(p), is missing", "the numbers on the diagonal are not right", _BY_HAND),
        "identity": Wrong("the identity matrix in the place of diag(p)", "the numbers on the diagonal are too large",
                          _BY_HAND),
        "p alone": Wrong("the second term, p^T p, is missing", "everything off the diagonal is 0", _BY_HAND),
    },
    product={
        "added": Wrong("p^T p is added where it should be subtracted", "every number is positive",
                       "when one score grows, do the other weights grow too?"),
        "squares": Wrong("the product is that of each weight with itself, not with the other weights", "",
                         "entry (i, j) of p^T p is p_i * p_j: one p stands as a column, the other as a row"),
        "squares down": Wrong("each weight is multiplied with itself, by broadcasting the same column twice", "",
                              "entry (i, j) of p^T p is p_i * p_j: one p stands as a column, the other as a row"),
        "scalar": Wrong("p^T p is taken as a dot product, one number a row", "",
                        "entry (i, j) of p^T p is p_i * p_j"),
    },
    sign={"negative": Wrong("the two terms change places", "every number has the wrong sign", _BY_HAND)},
    outer={
        "missing": Wrong("the factor 1 / scale of the inner function is missing", "too large by the scale", _CHAIN),
        "times": Wrong("it is multiplied by the scale where it should be divided", "", _CHAIN),
        "squared": Wrong("it is divided by the scale twice", "too small by the scale", _CHAIN),
    },
    inner={
        "missing": Wrong("the scores are not divided by the scale before softmax", "", "softmax(scores / scale)"),
        "times": Wrong("the scores are multiplied by the scale before softmax", "", "softmax(scores / scale)"),
    },
    over={
        "rows": Wrong("softmax runs over the dimension before the last", "", "softmax over the last dimension"),
        "first": Wrong("softmax runs over the first dimension", "", "softmax over the last dimension"),
        "not at all": Wrong("the scores are taken for weights: softmax is missing", "", "p = softmax(scores / scale)"),
    },
    empty={"nan": Wrong("a row of nothing but -inf becomes NaN in torch's softmax", "the row is NaN",
                        "the imported `softmax` gives zeros for such a row")},
)  # fmt: skip
def softmax_jacobian(
    scores, scale=1.0, *, diagonal="p", product="outer", sign="right", outer="once", inner="divided", over="keys",
    empty="zeros",
):  # fmt: skip
    """Write the Jacobian down with one choice for each part."""
    scaled = scores * {"missing": 1, "times": scale}.get(inner, 1 / scale)
    p = torch.softmax(scaled, -2 if scores.dim() > 1 else -1) if over == "rows" else right_softmax(scaled)
    p = torch.softmax(scaled, 0) if over == "first" else p
    p = torch.softmax(scaled, -1) if empty == "nan" else p
    p = scaled if over == "not at all" else p
    if diagonal == "only":
        result = torch.diag_embed(p * (1 - p))
    else:
        one = torch.eye(p.shape[-1], dtype=p.dtype)
        first = {"missing": 0 * torch.diag_embed(p), "identity": one}.get(diagonal, torch.diag_embed(p))
        outer_product = p[..., None] * p[..., None, :]
        squares = p * p
        second = {"squares down": squares[..., None, :].expand_as(outer_product), "added": -outer_product,
                  "squares": squares[..., None].expand_as(outer_product),
                  "scalar": squares.sum(-1)[..., None, None]}.get(product, outer_product)  # fmt: skip
        result = first if diagonal == "p alone" else first - second
    result = result * {"missing": 1, "times": scale, "squared": 1 / scale**2}.get(outer, 1 / scale)
    return -result if sign == "negative" else result


def scores(*shape, scale=1.0, hidden=False, dtype=torch.float64):
    """Draw scores, some of them -inf if wanted, and name the scale."""

    def make(draw):
        drawn = draw(*shape, dtype=dtype)
        return (drawn.masked_fill(~draw.mask(*shape), -math.inf) if hidden else drawn), scale

    return make


EXPECTED = "entry (i, j) is the derivative of weight i of softmax(scores / scale) with respect to score j"
EMPTY = (torch.tensor([[0.5, -math.inf, 1.5], [-math.inf] * 3]).double(), 2.0)
task.require(
    "every entry is the derivative of a weight with respect to a score",
    EXPECTED,
    [Case("scores of shape (2, 3, 5), scale 1", scores(2, 3, 5)),
     Case("scores of shape (2, 4), scale 2.5", scores(2, 4, scale=2.5)),
     Case("some scores are -inf", scores(3, 5, scale=1.5, hidden=True)),
     Case("scores around 10 000", (torch.tensor([[1e4, 1e4 - 1, 1e4 - 3]]).double(), 2.0))],
    [Case("one row", scores(7, scale=0.5)), Case("four dimensions", scores(2, 3, 4, 5, scale=3.0)),
     Case("a square", scores(4, 4, scale=2.0)), Case("no scale given", lambda draw: (draw(3, 6, dtype=torch.float64),)),
     Case("some scores are -inf, with a batch", scores(2, 3, 4, scale=0.7, hidden=True))],
)  # fmt: skip
task.require(
    "it can be differentiated again",
    "the second derivative of softmax",
    [Case("the gradient, scores of shape (2, 3)", scores(2, 3, scale=2.0), gradients())],
    [Case("the gradient, with a batch", scores(2, 3, 4, scale=0.5), gradients())],
)
task.limits(
    "a row of nothing but -inf, one score, float32, and wrong input",
    [
        Case("two rows, the second of nothing but -inf", EMPTY),
        Case("rows of one score", scores(3, 1)),
        Case("float32", scores(3, 4, scale=2.0, dtype=torch.float32)),
        refusal("a single number", (torch.tensor(1.0),)),
        refusal("integers", (torch.tensor([[1, 2, 3]]),)),
        refusal("a scale of 0", (torch.ones(2, 3), 0.0)),
    ],
    "the Jacobian of each row, which is zeros for a row of nothing but -inf",
)
