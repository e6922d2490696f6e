"""Task `masked_softmax` of exercise 06."""

import math

import torch

from course_checks.cases import Case, gradients, refusal
from course_checks.masking.shared import READY_MADE, UNIT
from course_checks.scaled_dot_product_attention.shared import MASK, OVER, masked_weights, right_softmax
from course_checks.task import Task
from course_checks.words import Wrong

task = Task("masked_softmax", UNIT, READY_MADE)

_BEFORE = "set the hidden scores to -inf before softmax, so that they take no share of the total"
_ROW = "what does your code make of a row in which every score is hidden?"


@task.oracle
def right(scores, mask=None):
    """Take torch's softmax of each row over its allowed keys alone."""
    allowed = torch.ones_like(scores, dtype=torch.bool) if mask is None else mask.expand_as(scores)
    return right_softmax(torch.where(allowed, scores, -math.inf))


@task.pipeline(
    masking=MASK
    | {
        "divided again": Wrong("softmax (or its maximum) takes the hidden scores in, and what the mask leaves is "
                               "divided by its sum: a large hidden score, or a row without keys, leaves 0 / 0", "",
                               _BEFORE),
        "softmax again": Wrong("softmax is taken again of the weights that the mask has left",
                               "hidden keys still have a weight, and all weights are nearly equal", _BEFORE),
        "no shift": Wrong("e^score is taken of the scores as they are, without the maximum of the row subtracted first",
                          "numbers are NaN: e^score of a large score is infinite",
                          "softmax does not change when a constant is subtracted from all scores of a row"),
        -100.0: Wrong("the number that is filled in (-100) is not small enough for large scores", "",
                      "is there a score that is smaller than every other?"),
        "no scores": Wrong("the scores are not used", "all keys that may be attended to have the same weight",
                           "print one row of scores, mask and weights"),
    },
    over=OVER,
    empty={
        "nan": Wrong("a row without allowed keys is a softmax of nothing but -inf, 0 / 0", "the row is NaN", _ROW),
        "uniform": Wrong("-1e9 (or another large finite number) in the place of -inf makes all scores of a row without "
                         "allowed keys the same", "a row that may attend to nothing attends to everything equally",
                         _ROW),
        "nan in the gradient": Wrong("a NaN arises in the row without allowed keys; `nan_to_num` or `where` hides it "
                                     "in the result, not in the gradient", "the gradient holds NaN",
                                     "let no NaN arise: replace the row before softmax"),
        "all rows": Wrong("one row without allowed keys sets the weights of all rows, or of all examples, to 0", "",
                          "ask for each row whether its mask holds a True: `any(dim=-1, keepdim=True)`"),
        "no float16": Wrong("the number that is filled in, such as -1e9, does not exist in float16", "",
                            "there is a score that every floating dtype has, and that softmax turns into 0"),
    },
    inside={
        "float32": Wrong("the weights are computed in float32, whatever dtype the scores have",
                         "the numbers are right to 7 digits and no further", "leave the dtype as it is"),
        "none": Wrong("without a mask the scores are returned as they are", "", "None hides nothing: softmax stays"),
    },
)  # fmt: skip
def masked_softmax(scores, mask=None, *, masking="filled", over="keys", empty="zeros", inside="dtype"):
    """Compute the weights with one choice for each step."""
    if inside == "float32":
        return masked_weights(scores.float(), mask, masking, over).to(scores.dtype)
    if mask is None:
        return scores if inside == "none" else masked_weights(scores, None, over=over)
    left = {
        "no shift": lambda: scores.exp() * mask,
        "no scores": lambda: torch.ones_like(scores) * mask,
    }.get(masking, lambda: right_softmax(scores) * mask)()
    if masking == "softmax again":
        return torch.softmax(left, -1)
    if masking not in ("filled", -100.0, *MASK):
        total = left.sum(-1, keepdim=True)
        return left / (total.masked_fill(total == 0, 1.0) if masking == "no scores" else total)
    filled = scores.masked_fill(~mask, -1e9 if empty in ("uniform", "no float16") else -math.inf)
    added, anything = torch.zeros_like(scores).masked_fill(~mask, -math.inf), mask.any(-1, keepdim=True)
    return {
        "nan": lambda: torch.softmax(filled, -1),
        "uniform": lambda: torch.softmax(filled, -1),
        "nan in the gradient": lambda: torch.softmax(scores + added, -1).nan_to_num(0.0),
        "all rows": lambda: right_softmax(filled) * anything.all(),
        "no float16": lambda: torch.softmax(filled, -1) * anything,
    }.get(empty, lambda: masked_weights(scores, mask, masking, over))()


double = torch.float64


def inputs(shape, mask=None, dtype=torch.float32, nothing=None, scale=1.0):
    """Draw scores, and a mask of a shape; ``nothing`` is a row without allowed keys."""

    def make(draw):
        scores = draw(*shape, dtype=dtype, scale=scale)
        if mask is None:
            return (scores,)
        allowed = draw.mask(*mask)
        if nothing is not None:
            allowed[..., nothing, :] = False
        return scores, allowed

    return make


def loud(shape, mask, size=200.0, dtype=torch.float32):
    """Draw scores of which one hidden key in each row of the mask is larger by ``size``."""

    def make(draw):
        scores, allowed = inputs(shape, mask, dtype)(draw)
        return scores + size * allowed.logical_not().int().cumsum(-1).eq(1) * ~allowed, allowed

    return make


WEIGHTS = "softmax over the keys that may be attended to, and 0 for the others"
task.require(
    "no mask hides nothing",
    "softmax over the last dimension",
    [Case("scores of shape (2, 3, 5), no mask", inputs((2, 3, 5)))],
    [Case("no mask, batch and heads", inputs((2, 3, 4, 5), dtype=double)), Case("no mask, one row", inputs((6,)))],
)
task.require(
    "hidden keys have weight 0, and the others share the whole weight",
    WEIGHTS,
    [Case("scores of shape (2, 3, 5), a mask of shape (3, 5)", inputs((2, 3, 5), (3, 5))),
     Case("scores of shape (4, 4), a mask of shape (4, 4), float64", inputs((4, 4), (4, 4), double)),
     Case("a mask of shape (3, 1, 4, 6), one for each example; 3 heads", inputs((3, 3, 4, 6), (3, 1, 4, 6))),
     Case("a padding mask of shape (2, 1, 1, 6)", inputs((2, 3, 4, 6), (2, 1, 1, 6)))],
    [Case("one row", inputs((6,), (6,), double)),
     Case("batch and heads, one mask for all", inputs((2, 3, 4, 5), (4, 5), double)),
     Case("a mask for each head", inputs((3, 3, 4, 5), (3, 4, 5), double)),
     Case("a padding mask, float64", inputs((3, 2, 5, 7), (3, 1, 1, 7), double))],
    "print one row of scores, mask and weights below one another",
)  # fmt: skip
task.require(
    "a hidden key is not felt, however large its score is",
    "the same weights, whatever is hidden",
    [Case("hidden keys with scores larger by 200 than the others", loud((2, 3, 5), (3, 5))),
     Case("scores of magnitude 1000", inputs((3, 4, 6), (4, 6), scale=1e3))],
    [Case("hidden keys with large scores", loud((2, 4, 6), (4, 6), 1e6, double)),
     Case("scores of magnitude 10 000", inputs((2, 4, 5), (4, 5), double, scale=1e4))],
)  # fmt: skip
task.require(
    "a row that may attend to nothing gets zeros",
    f"zeros in that row; in the other rows {WEIGHTS}",
    [Case("a row that may attend to nothing", inputs((2, 3, 5), (3, 5), nothing=1)),
     Case("a mask that allows nothing", lambda draw: (draw(3, 4), torch.zeros(3, 4, dtype=torch.bool)))],
    [Case("an example that may attend to nothing", lambda draw: (
        draw(2, 3, 4, 5, dtype=double), torch.tensor([True, False])[:, None, None, None].expand(2, 1, 1, 5).clone())),
     Case("the first row may attend to nothing", inputs((4, 6), (4, 6), double, nothing=0))],
)  # fmt: skip
task.require(
    "the gradient is finite and that of the formula",
    "the derivative of the formula, and zeros for what is hidden",
    [Case("the gradient, a mask", inputs((3, 4), (3, 4), double), gradients()),
     Case("the gradient, with a row that may attend to nothing", inputs((2, 3, 5), (3, 5), double, 1), gradients())],
    [Case("the gradient, no mask", inputs((3, 5), dtype=double), gradients()),
     Case("the gradient, when several rows may attend to nothing", inputs((2, 4, 5), (4, 5), double, [0, 2]),
          gradients())],
)  # fmt: skip
task.limits(
    "float16, one key, one entry for all, and wrong input",
    [
        Case("float16, a row that may attend to nothing", inputs((2, 4, 5), (4, 5), torch.float16, 2)),
        Case("one key", inputs((4, 1), (4, 1))),
        Case(
            "one entry of the mask for all keys", lambda draw: (draw(2, 3, 4), torch.tensor([[True], [False], [True]]))
        ),
        refusal("a single number", (torch.tensor(1.0),), "scores"),
        refusal("scores that are integers", lambda draw: (torch.ones(2, 3).long(), draw.mask(2, 3)), "scores"),
        refusal("a mask of numbers", lambda draw: (draw(2, 3), torch.ones(2, 3)), "mask"),
        refusal("a mask that is transposed", inputs((3, 4), (4, 3)), "mask"),
        refusal("a mask with a dimension more than the scores", inputs((4, 5), (2, 4, 5)), "mask"),
    ],
)
