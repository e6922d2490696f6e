"""Task `masked_softmax` of exercise 06."""

import math

import torch

from course_checks.cases import Case, drawn, gradients, refusal, without_keys
from course_checks.masking.shared import READY_MADE, UNIT
from course_checks.scaled_dot_product_attention import shared
from course_checks.scaled_dot_product_attention.shared import double, right_softmax
from course_checks.task import Task

task = Task("masked_softmax", UNIT, READY_MADE)

_BEFORE = "set the hidden scores to -inf before softmax, so that they take no share of the total"
_ROW = "what does your code make of a row in which every score is hidden?"


@task.oracle
def right(scores, mask=None):
    """Take torch's softmax of each row over its allowed keys alone."""
    allowed = torch.ones_like(scores, dtype=torch.bool) if mask is None else mask.expand_as(scores)
    return right_softmax(torch.where(allowed, scores, -math.inf))


# fmt: off
task.edit(shared.HIDE, shared.MASK | {
    "scores.masked_fill(~mask, -100)": ("the number that is filled in (-100) is not small enough for large scores",
                                        "is there a score that is smaller than every other?"),
    "(0 * scores).masked_fill(~mask, -math.inf)": (
        "the scores are not used", "print one row of scores, mask and weights",
        "all keys that may be attended to have the same weight"),
    "scores.masked_fill(~mask, -1e9)": (
        "-1e9 (or another large finite number) in the place of -inf makes all scores of a row without allowed keys the "
        "same", _ROW, "a row that may attend to nothing attends to everything equally"),
    "scores.masked_fill(~mask | ~mask.any(-1).all(), -math.inf)": (
        "one row without allowed keys sets the weights of all rows, or of all examples, to 0",
        "ask for each row whether its mask holds a True: `any(dim=-1, keepdim=True)`"),
    "torch.where(mask.any(-1, keepdim=True), scores.masked_fill(~mask, -1e9), -math.inf)": (
        "the number that is filled in, such as -1e9, does not exist in float16",
        "there is a score that every floating dtype has, and that softmax turns into 0"),
})
shared.edit_after(task, shared.MASK_AFTER | {
    "scores.exp() * mask / (scores.exp() * mask).sum(-1, keepdim=True)": (
        "e^score is taken of the scores as they are, without the maximum of the row subtracted first", "softmax does "
        "not change when a constant is subtracted from all scores of a row",
        "numbers are NaN: e^score of a large score is infinite"),
    "(scores - scores.masked_fill(~mask, -math.inf).amax(-1, keepdim=True)).exp() * mask / ("
    "(scores - scores.masked_fill(~mask, -math.inf).amax(-1, keepdim=True)).exp() * mask).sum(-1, keepdim=True)": (
        "e^score of a hidden score is formed and multiplied with 0: where it is infinite, infinity times 0 is NaN",
        "hide the score before the exponential is taken"),
}, "return softmax(scores)", "weights = softmax(scores)\n")
task.edit("softmax(scores)", shared.WEIGHTS["softmax(scores)"] | {
    "(lambda powers: powers / powers.sum(-1, keepdim=True))"
    "((scores - scores.masked_fill(scores == -math.inf, math.inf).amin(-1, keepdim=True)).exp())": (
        "the smallest score of a row is subtracted before the exponential, not the largest", "print the largest "
        "exponential of a row of large and small scores: at most 1 is safe"),
    "torch.softmax(scores, -1)": (
        "a row without allowed keys is a softmax of nothing but -inf, 0 / 0", _ROW, "the row is NaN"),
    "softmax(scores.float()).to(scores.dtype)": (
        "the weights are computed in float32, whatever dtype the scores have", "leave the dtype as it is",
        "the numbers are right to 7 digits and no further"),
    "scores if mask is None else softmax(scores)": (
        "without a mask the scores are returned as they are", "None hides nothing: softmax stays"),
})
task.edit_places({shared.HIDE: "scores + torch.zeros_like(scores).masked_fill(~mask, -math.inf)",
                  "softmax(scores)": "torch.softmax(scores, -1).nan_to_num()"},
                 "a NaN arises in the row without allowed keys; `nan_to_num` or `where` hides it in the result, not in "
                 "the gradient", "let no NaN arise: replace the row before softmax", "the gradient holds NaN")
# fmt: on


def loud(shapes, size=200.0, dtype=torch.float32):
    """Draw scores of which one hidden key in each row of the mask is larger by ``size``."""

    def make(draw):
        scores, allowed = drawn(shapes, dtype=dtype)(draw)
        return scores + size * allowed.logical_not().int().cumsum(-1).eq(1) * ~allowed, allowed

    return make


WEIGHTS = "softmax over the keys that may be attended to, and 0 for the others"
task.require("no mask hides nothing", "softmax over the last dimension",
             [Case("scores of shape (2, 3, 5), no mask", drawn("2 3 5"))],
             [Case("no mask, batch and heads", drawn("2 3 4 5", dtype=double)),
              Case("no mask, one row", drawn("6"))])  # fmt: skip
task.require("hidden keys have weight 0, and the others share the whole weight", WEIGHTS,
             [Case("scores of shape (2, 3, 5), a mask of shape (3, 5)", drawn("2 3 5; mask: 3 5")),
              Case("scores of shape (4, 4), a mask of shape (4, 4), float64", drawn("4 4; mask: 4 4", dtype=double)),
              Case("a mask of shape (3, 1, 4, 6), one for each example; 3 heads", drawn("3 3 4 6; mask: 3 1 4 6")),
              Case("a padding mask of shape (2, 1, 1, 6)", drawn("2 3 4 6; mask: 2 1 1 6"))],
             [Case("one row", drawn("6; mask: 6", dtype=double)),
              Case("batch and heads, one mask for all", drawn("2 3 4 5; mask: 4 5", dtype=double)),
              Case("a mask for each head", drawn("3 3 4 5; mask: 3 4 5", dtype=double)),
              Case("a padding mask, float64", drawn("3 2 5 7; mask: 3 1 1 7", dtype=double))],
             "print one row of scores, mask and weights below one another")  # fmt: skip
task.require("a hidden key is not felt, however large its score is", "the same weights, whatever is hidden",
             [Case("hidden keys with scores larger by 200 than the others", loud("2 3 5; mask: 3 5")),
              Case("scores of magnitude 1000", drawn("3 4 6; mask: 4 6", scale=1e3))],
             [Case("hidden keys with large scores", loud("2 4 6; mask: 4 6", 1e6, double)),
              Case("scores of magnitude 10 000", drawn("2 4 5; mask: 4 5", dtype=double, scale=1e4))])  # fmt: skip
task.require(
    "a row that may attend to nothing gets zeros",
    f"zeros in that row; in the other rows {WEIGHTS}",
    [Case("a row that may attend to nothing", without_keys(1, "2 3 5; mask: 3 5", torch.float32)),
     Case("a mask that allows nothing", drawn("3 4", torch.zeros(3, 4).bool()))],
    [Case("an example that may attend to nothing",
          drawn("2 3 4 5", torch.tensor([True, False])[:, None, None, None].repeat(1, 1, 1, 5), dtype=double)),
     Case("the first row may attend to nothing", without_keys(0, "4 6; mask: 4 6"))],
)  # fmt: skip
task.require(
    "the gradient is finite and that of the formula",
    "the derivative of the formula, and zeros for what is hidden",
    [Case("the gradient, a mask", drawn("3 4; mask: 3 4", dtype=double), gradients()),
     Case("the gradient, with a row that may attend to nothing", without_keys(1, "2 3 5; mask: 3 5"), gradients())],
    [Case("the gradient, no mask", drawn("3 5", dtype=double), gradients()),
     Case("the gradient, when several rows may attend to nothing", without_keys([0, 2], "2 4 5; mask: 4 5"),
          gradients())],
)  # fmt: skip
task.limits("float16, one key, one entry for all, and wrong input",
            [Case("float16, a row that may attend to nothing", without_keys(2, "2 4 5; mask: 4 5", torch.float16)),
             Case("one key", drawn("4 1; mask: 4 1")),
             Case("one entry of the mask for all keys", drawn("2 3 4", torch.tensor([[True], [False], [True]]))),
             refusal("a single number", (torch.tensor(1.0),), "scores"),
             refusal("scores that are integers", drawn("9: 2 3; mask: 2 3"), "scores"),
             refusal("a mask of numbers", drawn("2 3; 2 3"), "mask"),
             refusal("a mask that is transposed", drawn("3 4; mask: 4 3"), "mask"),
             refusal("a mask with a dimension more than the scores", drawn("4 5; mask: 2 4 5"), "mask")])  # fmt: skip
