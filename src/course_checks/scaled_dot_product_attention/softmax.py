"""Task `softmax` of exercise 04."""

import math

import torch

from course_checks.cases import Case, drawn, gradients, refusal
from course_checks.scaled_dot_product_attention.shared import READY_MADE, UNIT, double, right_softmax
from course_checks.task import Task

task = Task("softmax", UNIT, ("softmax", "softmin", *READY_MADE))
task.oracle(right_softmax)

_AXIS = "sum over the last dimension only, and keep it: `x.sum(dim=-1, keepdim=True)`"
_OWN = "subtract a constant from each row before the exponential: which one makes its largest exponential exactly 1?"
_EMPTY = "where the maximum is -inf subtract 0, and where the sum is 0 divide by 1"
_OVERFLOW = "e^10000 is infinite, e^-10000 is 0, and inf/inf and 0/0 are NaN"
_POWER = "(scores - highest.masked_fill(highest == -math.inf, 0.0)).exp()"
_TOTAL = "total.masked_fill(total == 0, 1.0)"
# fmt: off
task.edit("exponentials.sum(dim=-1, keepdim=True)", {
    "exponentials.sum(dim=-2, keepdim=True)": (
        "the sum runs over dim -2", _AXIS, "not the rows but the columns sum to 1"),
    "exponentials.sum(dim=0, keepdim=True)": (
        "the sum runs over the first dimension", _AXIS, "the sums over the first dimension are 1"),
    "exponentials.sum()": ("the sum runs over all elements: it has no `dim`", _AXIS, "all numbers together sum to 1"),
    "torch.ones(())": ("the exponentials are not divided by their sum", _AXIS, "the rows do not sum to 1"),
})
task.edit(_POWER, {
    _POWER[:-2] + "2()": (
        "powers of 2 in the place of powers of e", "use `torch.exp`", "the rows sum to 1, but are too flat"),
    "scores": ("the scores are divided by their sum without the exponential",
               "turn the scores into positive numbers with `exp` first", "some weights are negative"),
    "scores.relu()": ("negative scores are cut off (relu) in the place of the exponential",
                      "e^score is positive for every score", "some weights are exactly 0"),
    "scores.square()": ("the scores are squared in the place of the exponential",
                        "a negative score must get less weight than a positive one"),
    "(highest - scores).exp()": ("the sign of the scores is turned around", "subtract the maximum from the scores, not "
                                 "the scores from the maximum", "the smallest score has the largest weight"),
    "scores.exp()": ("e^score is computed of the scores as they are", _OWN, _OVERFLOW),
})
task.edit("exponentials / " + _TOTAL, {
    f"(exponentials / {_TOTAL}).log()": ("the logarithm of the weights is returned", "take the exponential at the end",
        "every number is negative"),
    "scores.sigmoid()": ("sigmoid looks at each score alone; softmax compares the scores of a row",
        "divide e^score by the sum of e^score over the row"),
    "(exponentials / total).nan_to_num(0.0)": ("`nan_to_num` or `where` at the end hides the NaN of the result, not "
        "that of its gradient", "keep NaN from arising at all: " + _EMPTY, "the gradient holds NaN"),
})
_WHOLE = ("the maximum of the whole tensor is subtracted, not that of each row",
          "take the maximum over the last dimension, with `keepdim=True`",
          "the row of very negative scores is not right")
task.edit("scores.detach().amax(dim=-1, keepdim=True)", {
    "scores.detach().max()": _WHOLE,
    "scores.detach().amax(dim=-2, keepdim=True)": ("the maximum is taken over dim -2, not over each row", _OWN),
    "scores.detach().mean(dim=-1, keepdim=True)": (
        "the mean of each row is subtracted, not its maximum: the largest exponential may overflow", _OWN),
    "scores.detach().amin(dim=-1, keepdim=True)": (
        "the minimum of each row is subtracted, not its maximum: the largest exponential may overflow", _OWN),
})
task.edit("highest = ", {
    "scores = scores.clamp(-50, 50)\nhighest = ": ("the scores are cut off at a limit (`clamp`), which makes different "
        "scores the same", _OWN, "all weights of a row are equal"),
    "scores = scores.nan_to_num(neginf=-1e9)\nhighest = ": ("-inf was replaced by a large finite "
        "number, which makes all scores of the row the same", "use -inf itself, and give a row without any finite "
        "score the weights 0", "all weights of the row of nothing but -inf are equal"),
})
task.edit("highest.masked_fill(highest == -math.inf, 0.0)", {"highest": ("-inf - (-inf), or 0 / 0: a row of nothing "
    "but -inf has no finite maximum and no positive sum", _EMPTY, "the row is NaN")})
task.edit(_TOTAL, {"(total + 1e-6)": (
    "a small number (epsilon) is added to the sum", "a row of nothing but -inf has the sum 0: treat it")})
task.edit_places({_POWER: "scores.exp()", _TOTAL: "total"},
                 "e^score is computed of the scores as they are, and divided by its sum", _OWN, _OVERFLOW)
task.edit_places({_POWER: "scores.clamp(max=80).exp()", _TOTAL: "total"}, "large scores are cut off from above "
    "(`clamp`), which makes different scores the same", _OWN, "the weights of a row of large scores are equal")
task.edit_places({"scores.detach().amax(dim=-1, keepdim=True)": "scores.detach().max()", _TOTAL: "total"}, *_WHOLE)
# fmt: on


def large(rows=(1.0, -1.0), size=1e4):
    """Make rows of scores around plus and minus 10 000."""
    return (torch.tensor([[sign * (size - step) for step in range(3)] for sign in rows]).double(),)


def with_hidden(draw, *shape, dtype=torch.float32):
    """Draw scores of which some are -inf."""
    return (draw(*shape, dtype=dtype).masked_fill(~draw.mask(*shape), -math.inf),)


task.require("every row is positive and sums to 1",
             "every row (the last dimension) is e^score, divided by the sum of e^score over that row",
             [Case("random scores of shape (2, 3, 5)", drawn("2 3 5"))],
             [Case("one row", drawn("7", dtype=double)), Case("a square", drawn("4 4", dtype=double)),
              Case("four dimensions", drawn("2 3 4 5", dtype=double)),
              Case("as many rows as columns, and a batch as large", drawn("3 3 3", dtype=double))])  # fmt: skip
task.require("large scores do not overflow", "finite weights: adding a constant to a row does not change its softmax",
             [Case("scores around 10 000 and around -10 000", large()),
              Case("10 000, 0 and -10 000 in one row", (torch.tensor([[1e4, 0.0, -1e4]]).double(),))],
             [Case("scores around 10 000 in one row", large((1.0,))),
              Case("rows from -10 000 to 10 000", lambda draw: (1e4 * draw(3, 6).double().tanh(),))],
             "print the largest exponential of each row; it should be exactly 1")  # fmt: skip
task.require("-inf gets weight 0", "weight 0 for a score of -inf, and the softmax of the others",
             [Case("a row with some -inf", (torch.tensor([[0.5, -math.inf, 1.5, -math.inf]]),))],
             [Case("some scores are -inf", lambda draw: with_hidden(draw, 2, 3, 5)),
              Case("some scores are -inf, float64", lambda draw: with_hidden(draw, 4, 6, dtype=double))])  # fmt: skip
task.require("the gradient is that of the formula", "the derivative of the formula",
             [Case("the gradient, scores of shape (3, 4)", drawn("3 4", dtype=double), gradients())],
             [Case("the gradient, with a batch", drawn("2 3 5", dtype=double), gradients())])  # fmt: skip
NOTHING = (torch.tensor([[0.5, -math.inf, 1.5, -math.inf], [-math.inf] * 4]).double(),)
task.limits("a row of nothing but -inf, rows of one score, float16, and wrong input",
            [Case("two rows, the second of nothing but -inf", NOTHING),
             Case("the gradient, with a row of nothing but -inf", NOTHING, gradients()),
             Case("rows of one score", drawn("3 1")), Case("float16", drawn("3 6", dtype=torch.float16)),
             refusal("a single number", (torch.tensor(1.0),)), refusal("integers", (torch.tensor([1, 2]),))],
            "zeros for a row of nothing but -inf, with a gradient of zeros; otherwise the softmax of each row",
            )  # fmt: skip
