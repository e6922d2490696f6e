"""Task `softmax` of exercise 04."""

import math

import torch
from torch import Tensor

from course_checks.cases import Case, gradients, refusal
from course_checks.scaled_dot_product_attention.shared import READY_MADE, UNIT, right_softmax
from course_checks.task import Task
from course_checks.words import Wrong

task = Task("softmax", UNIT, ("softmax", "softmin", *READY_MADE))
task.oracle(right_softmax)

_AXIS = "sum over the last dimension only, and keep it: `x.sum(dim=-1, keepdim=True)`"
_OWN = "subtract a constant from each row before the exponential: which one makes its largest exponential exactly 1?"
_EMPTY = "where the maximum is -inf subtract 0, and where the sum is 0 divide by 1"


@task.pipeline(
    sum_over={
        "queries": Wrong("the sum runs over dim -2", "not the rows but the columns sum to 1", _AXIS),
        "first": Wrong("the sum runs over the first dimension", "the sums over the first dimension are 1", _AXIS),
        "all": Wrong("the sum runs over all elements: it has no `dim`", "all numbers together sum to 1", _AXIS),
        "nothing": Wrong("the exponentials are not divided by their sum", "the rows do not sum to 1", _AXIS),
    },
    power={
        "2": Wrong("powers of 2 in the place of powers of e", "the rows sum to 1, but are too flat", "use `torch.exp`"),
        "none": Wrong("the scores are divided by their sum without the exponential", "some weights are negative",
                      "turn the scores into positive numbers with `exp` first"),
        "relu": Wrong("negative scores are cut off (relu) in the place of the exponential",
                      "some weights are exactly 0", "e^score is positive for every score"),
        "square": Wrong("the scores are squared in the place of the exponential", "",
                        "a negative score must get less weight than a positive one"),
        "negative": Wrong("the sign of the scores is turned around", "the smallest score has the largest weight",
                          "subtract the maximum from the scores, not the scores from the maximum"),
        "logarithm": Wrong("the logarithm of the weights is returned", "every number is negative",
                           "take the exponential at the end"),
        "sigmoid": Wrong("sigmoid looks at each score alone; softmax compares the scores of a row", "",
                         "divide e^score by the sum of e^score over the row"),
    },
    shift={
        "none": Wrong("e^score is computed of the scores as they are",
                      "e^10000 is infinite, e^-10000 is 0, and inf/inf and 0/0 are NaN", _OWN),
        "all": Wrong("the maximum of the whole tensor is subtracted, not that of each row",
                     "the row of very negative scores is not right",
                     "take the maximum over the last dimension, with `keepdim=True`"),
        "columns": Wrong("the maximum is taken over dim -2, not over each row", "", _OWN),
        "mean": Wrong("the mean of each row is subtracted, not its maximum: the largest exponential may overflow", "",
                      _OWN),
        "minimum": Wrong("the minimum of each row is subtracted, not its maximum", "", _OWN),
        "clamp": Wrong("the scores are cut off at a limit (`clamp`), which makes different scores the same",
                       "all weights of a row are equal", _OWN),
    },
    empty={
        "nan": Wrong("-inf - (-inf), or 0 / 0: a row of nothing but -inf has no finite maximum and no positive sum",
                     "the row is NaN", _EMPTY),
        "uniform": Wrong("-inf was replaced by a large finite number, which makes all scores of the row the same",
                         "all weights of the row of nothing but -inf are equal",
                         "use -inf itself, and give a row without any finite score the weights 0"),
        "nan_to_num": Wrong("`nan_to_num` or `where` at the end hides the NaN of the result, not that of its gradient",
                            "the gradient holds NaN", "keep NaN from arising at all: " + _EMPTY),
    },
)  # fmt: skip
def softmax(scores: Tensor, *, sum_over="rows", power="e", shift="row", empty="zeros") -> Tensor:
    """Compute softmax with one choice for each of its steps."""
    if empty == "uniform":
        scores = scores.masked_fill(scores == -math.inf, -1e9)
    if shift == "clamp":
        scores = scores.clamp(-50, 50)
    finite = scores.detach()
    constant = {
        "row": lambda: finite.amax(-1, keepdim=True),
        "all": lambda: finite.max(),
        "columns": lambda: finite.amax(-2 if finite.dim() > 1 else -1, keepdim=True),
        "mean": lambda: finite.mean(-1, keepdim=True),
        "minimum": lambda: finite.amin(-1, keepdim=True),
    }.get(shift, lambda: torch.zeros_like(scores[..., :1]))()
    if empty == "zeros" or shift == "minimum":
        constant = constant.masked_fill(constant == -math.inf, 0.0)
    x = scores - constant
    raised = {
        "2": lambda: torch.pow(2.0, x), "none": lambda: scores, "relu": lambda: scores.relu(),
        "square": lambda: scores.square(), "negative": lambda: (-scores).exp(), "sigmoid": lambda: scores.sigmoid(),
    }.get(power, lambda: x.exp())()  # fmt: skip
    if sum_over == "nothing" or power == "sigmoid":
        return raised
    total = raised.sum() if sum_over == "all" else raised.sum(
        {"queries": -2 if scores.dim() > 1 else -1, "first": 0}.get(sum_over, -1), keepdim=True
    )  # fmt: skip
    weights = raised / (total.masked_fill(total == 0, 1.0) if empty == "zeros" else total)
    weights = weights.nan_to_num(0.0) if empty == "nan_to_num" else weights
    return weights.log() if power == "logarithm" else weights


@task.mistake("a small number (epsilon) is added to the sum", hint="a row of nothing but -inf has the sum 0: treat it")
def epsilon(scores):
    """Add 1e-6 to the denominator."""
    exponentials = (scores - scores.amax(-1, keepdim=True).clamp(min=-1e30)).exp()
    return exponentials / (exponentials.sum(-1, keepdim=True) + 1e-6)


@task.mistake("e^score is computed of the scores as they are, and divided by its sum",
              "e^10000 is infinite, e^-10000 is 0, and inf/inf and 0/0 are NaN", _OWN)  # fmt: skip
def formula(scores):
    """Take the formula as it stands."""
    return scores.exp() / scores.exp().sum(-1, keepdim=True)


@task.mistake("large scores are cut off from above (`clamp`), which makes different scores the same",
              "the weights of a row of large scores are equal", _OWN)  # fmt: skip
def cut_off(scores):
    """Cut off what would overflow."""
    return scores.clamp(max=80).exp() / scores.clamp(max=80).exp().sum(-1, keepdim=True)


def scores(*shape, dtype=torch.float32):
    """Draw scores."""
    return lambda draw: (draw(*shape, dtype=dtype),)


def large(rows=(1.0, -1.0), size=1e4):
    """Make rows of scores around plus and minus 10 000."""
    return (torch.tensor([[sign * (size - step) for step in range(3)] for sign in rows]).double(),)


def with_hidden(draw, *shape, dtype=torch.float32):
    """Draw scores of which some are -inf."""
    return (draw(*shape, dtype=dtype).masked_fill(~draw.mask(*shape), -math.inf),)


task.require(
    "every row is positive and sums to 1",
    "every row (the last dimension) is e^score, divided by the sum of e^score over that row",
    [Case("random scores of shape (2, 3, 5)", scores(2, 3, 5))],
    [
        Case("one row", scores(7, dtype=torch.float64)),
        Case("a square", scores(4, 4, dtype=torch.float64)),
        Case("four dimensions", scores(2, 3, 4, 5, dtype=torch.float64)),
        Case("as many rows as columns, and a batch as large", scores(3, 3, 3, dtype=torch.float64)),
    ],
)
task.require(
    "large scores do not overflow",
    "finite weights: adding a constant to a row does not change its softmax",
    [Case("scores around 10 000 and around -10 000", large())],
    [
        Case("scores around 10 000 in one row", large((1.0,))),
        Case("a row from -10 000 to 10 000", lambda draw: (1e4 * draw(3, 6).double().tanh(),)),
    ],
    "print the largest exponential of each row; it should be exactly 1",
)
task.require(
    "-inf gets weight 0",
    "weight 0 for a score of -inf, and the softmax of the others",
    [Case("a row with some -inf", (torch.tensor([[0.5, -math.inf, 1.5, -math.inf]]),))],
    [Case("some scores are -inf", lambda draw: with_hidden(draw, 2, 3, 5)),
     Case("some scores are -inf, float64", lambda draw: with_hidden(draw, 4, 6, dtype=torch.float64))],
)  # fmt: skip
task.require(
    "the gradient is that of the formula",
    "the derivative of the formula",
    [Case("the gradient, scores of shape (3, 4)", scores(3, 4, dtype=torch.float64), gradients())],
    [Case("the gradient, with a batch", scores(2, 3, 5, dtype=torch.float64), gradients())],
)
NOTHING = (torch.tensor([[0.5, -math.inf, 1.5, -math.inf], [-math.inf] * 4]).double(),)
task.limits(
    "a row of nothing but -inf, rows of one score, float16, and wrong input",
    [
        Case("two rows, the second of nothing but -inf", NOTHING),
        Case("the gradient, with a row of nothing but -inf", NOTHING, gradients()),
        Case("rows of one score", scores(3, 1)),
        Case("float16", scores(3, 6, dtype=torch.float16)),
        refusal("a single number", (torch.tensor(1.0),)),
        refusal("integers", (torch.tensor([1, 2]),)),
    ],
    "zeros for a row of nothing but -inf, with a gradient of zeros; otherwise the softmax of each row",
)
