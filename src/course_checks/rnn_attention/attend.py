"""Task `attend` of exercise 03."""

import torch

from course_checks.cases import Case, drawn, gradients, refusal, without_keys
from course_checks.rnn_attention.shared import AFTER, INVERTED, MASK, READY_MADE, UNIT, double
from course_checks.task import Task

task = Task("attend", UNIT, READY_MADE)


@task.oracle
def right(scores, values, mask=None):
    """Take torch's softmax of the allowed words of each sentence alone, and add up the values."""
    weights = torch.zeros_like(scores)
    for row in range(len(scores)):
        allowed = torch.ones_like(scores[row], dtype=torch.bool) if mask is None else mask[row]
        if allowed.any():
            weights[row, allowed] = scores[row, allowed].softmax(0)
    return torch.einsum("bl,bld->bd", weights, values), weights


# fmt: off
_SHARES = "each sentence shares out its attention among its own words: over which dimension must the weights sum to 1?"
_MEAN = "what do the formula's two letters under the sum stand for? Work out two words by hand"
_FLAT, _AS_THEY_ARE = "the weights are flatter than they should be", "softmax of the scores as they are"
_SAME = "compute the context from the weights that you return"
_NO_SUM, _SMALLEST = "the rows do not sum to 1", "set the hidden scores to a number whose exponential is 0"
_HIDE, _ZERO = "scores.masked_fill(~mask & ~nothing, -math.inf)", ".masked_fill(nothing, 0.0)"
_CONTEXT = "(weights.unsqueeze(1) @ values).squeeze(1)"
_TOO_HIGH = "hidden scores become a number such as -1000, below which an allowed score may lie too"
_LOWEST = "is there a number below every score?"
task.edit(_HIDE, {f"(scores{new})": words for new, words in MASK.items()} | {
    "scores.masked_fill(~mask, -1000.0)": (_TOO_HIGH, _LOWEST),
    "scores.masked_fill(~mask[:1] & ~nothing, -math.inf)": (
        "the mask of the first sentence is used for all", "each sentence has a row of the mask")})
task.edit_places({"torch.ones_like": "torch.zeros_like", "~mask.any(": "mask.all(", _HIDE: "scores.masked_fill(mask & "
                  "~nothing, -math.inf)"}, *INVERTED)
_LOUD = ("softmax (or the maximum that is subtracted) takes hidden scores in, and what the mask leaves is divided by "
         "its sum: beside a large hidden score the allowed ones vanish, and their sum is 0",
         "which scores may decide what is subtracted?")
for _scores, _weights, *_words in (
    ("scores", "", *AFTER),
    ("(scores * mask)", "", "the hidden scores become 0, and the mask is used after softmax too", _SMALLEST),
    ("scores.masked_fill(~mask, -1000.0)", "", f"{_TOO_HIGH}, and the mask is used after softmax", _LOWEST,
     "the rows sum to less than 1, or to 0"),
    ("scores", "weights = weights / weights.sum(dim=1, keepdim=True)\n", *_LOUD),
    ("scores", "weights = weights / weights.sum(dim=1, keepdim=True).clamp(min=1e-30)\n", *_LOUD),
):
    task.edit_places({_HIDE: _scores, "return": f"weights = weights * mask\n{_weights}return"}, *_words)
task.edit_places({_HIDE: "scores", _CONTEXT: "((weights * mask).unsqueeze(1) @ values).squeeze(1)"},
                 "the mask is applied to the values, not to the scores",
                 "do the weights of the words that are there sum to 1?", "hidden words still have a weight")
_AGAIN, _SHARED_OUT = "\nweights = {}\nweights = weights", "weights / weights.sum(dim=1, keepdim=True)"
task.edit(".softmax(dim=1)", {
    ".softmax(dim=0)": ("softmax runs over the batch (dim 0)", _SHARES, "not the rows but the columns sum to 1"),
    ".flatten().softmax(0).view_as(scores)": (
        "softmax runs over all elements", _SHARES, "all numbers of the tensor together sum to 1"),
    "": ("softmax is missing", _SHARES, _NO_SUM),
    ".sigmoid()": ("sigmoid in the place of softmax", "sigmoid looks at each score alone", _NO_SUM),
    ".exp()": ("the exponentials are not divided by their sum", _SHARES, _NO_SUM),
    "\nweights = (weights - weights.masked_fill(weights.isinf(), math.inf).amin(dim=1, keepdim=True)).exp()"
    + _AGAIN.format(_SHARED_OUT): (
        "the smallest score of each sentence is taken off before the exponential, not the largest",
        "print the largest exponential of scores of 1000 and 0: at most 1 is safe", "large scores overflow"),
    ".exp()" + _AGAIN.format(_SHARED_OUT): (
        "the exponential is taken of the scores themselves, without their maximum taken off",
        "`torch.softmax` takes care of large scores", "large scores overflow"),
    ".log_softmax(dim=1)": (
        "the logarithm of the weights is taken", "softmax, not log_softmax", "every number is negative"),
    ".softmax(dim=1).softmax(dim=1)": ("softmax is applied twice", _SHARES, _FLAT),
    _AGAIN.format("torch.eye(scores.shape[1]).to(scores)[weights.argmax(dim=1)]"): (
        "the best word is chosen (`argmax`), which gives no gradient", _SHARES, "one word has the weight 1"),
    _AGAIN.format(_SHARED_OUT): (
        "the scores are divided by their sum, without exponentials", _SHARES)} | {
    "\nweights = (weights - weights.max()).exp()" + _AGAIN.format(_SHARED_OUT + guard): (
        "the largest score of all sentences is subtracted: a sentence whose scores are far smaller vanishes",
        "from which number may the scores of a sentence be measured?") for guard in ("", ".clamp(min=1e-30)")})
task.edit("nothing = ", {
    "scores = -scores\nnothing = ": (
        "the sign of the scores is turned round", _SHARES, "the lowest score has the largest weight"),
    "scores = scores / math.sqrt(scores.shape[1])\nnothing = ": (
        "the scores are divided by the root of a size", _AS_THEY_ARE, _FLAT),
    "scores = scores / math.sqrt(values.shape[2])\nnothing = ": (
        "the scores are divided by the root of the width of the values", _AS_THEY_ARE, _FLAT)})
task.edit(_CONTEXT, {
    "(scores.unsqueeze(1) @ values).squeeze(1)": (
        "the values are summed with the scores, not with the weights", _MEAN),
    "(scores.softmax(dim=1).unsqueeze(1) @ values).squeeze(1)": ("the context is computed with weights from before "
        "the mask", _SAME, "the context knows words that are hidden, though the weights do not"),
    "values.mean(dim=1)": ("the plain mean of the values, without weights", _MEAN),
    "values.sum(dim=1)": ("the plain sum of the values, without weights", _MEAN),
    "(weights.unsqueeze(-1) * values).mean(dim=1)": (
        "a mean over the words of weight times value, not the sum", _MEAN, "the context is too small"),
    "values[torch.arange(len(values)), weights.argmax(dim=1)]": (
        "the value of the best word alone is taken (`argmax`)", _MEAN),
    "weights.unsqueeze(-1) * values": ("the values are weighted, but not summed over the words", _MEAN),
    "(weights.unsqueeze(-1) * values).sum(dim=-1)": (
        "the sum runs over the columns of the values, not over the words", _MEAN),
    "weights.unsqueeze(1) @ values": (
        "a dimension of size 1 is left in the context", "take it away with `squeeze(1)`"),
    "(weights.roll(1, 0).unsqueeze(1) @ values).squeeze(1)": (
        "the weights of one sentence meet the values of another", _MEAN)})
task.edit(", weights", {
    "": ("only the context is returned", "the task asks for a pair"),
    ", scores": ("the scores are returned, not the weights", "what comes out of softmax?"),
    ", weights.log()": ("the logarithm of the weights is returned", "the weights of a sentence sum to 1"),
    ", weights.detach()": ("the weights that are returned are cut off from the graph",
        "where do you write `.detach()`?", "no gradient flows from the weights back to the scores")})
task.edit_places({"return ": "return weights, ", ", weights": ""}, "the weights are returned first",
                 "compare with the order in the task", "the two results come in the wrong order")
task.edit_places({"~mask & ~nothing": "~mask", _ZERO: ""}, "softmax of a row of nothing but -inf is 0 / 0", "give a "
    "row without any allowed word other scores first, and set its weights to 0 afterwards", "the row is NaN")
task.edit_places({"~mask & ~nothing, -math.inf": "~mask, -1e9", _ZERO: ""}, "a large finite number such as -1e9 hides "
    "the words, and in a row without any allowed word all scores are the same",
    "set the weights of such a row to 0 afterwards", "all weights of the row are equal")
task.edit_places({_ZERO: "", ", weights": f", weights{_ZERO}"}, "the context is computed before the weights of a row "
    "without words become 0", _SAME, "the context of such a row is not 0")
task.edit_places({_HIDE: "(scores + torch.zeros_like(scores).masked_fill(~mask, -math.inf))", _ZERO: ".nan_to_num()"},
    "NaN is hidden in the result (`nan_to_num`, `where`), and not in its gradient",
    "give the row other scores before softmax", "the gradient is NaN")
# fmt: on


def shifted(shapes, by):
    """Draw scores around a number, and the rest."""

    def make(draw):
        scores, *rest = drawn(shapes, dtype=double)(draw)
        return scores + by, *rest

    return make


def loud(draw):
    """Draw inputs in which hidden words have large scores and values."""
    scores, values, mask = drawn("3 5; 3 5 4; mask: 3 5", dtype=double)(draw)
    return scores.masked_fill(~mask, 1e4), values.masked_fill(~mask.unsqueeze(-1), 1e3), mask


_ONE_LARGE = torch.tensor([0.0, 1e3, 0.0, 0.0, 0.0], dtype=double)
_FAR = torch.tensor([[1e3], [-1e3]], dtype=double)
PAIR = (
    "the context and the weights: softmax over the allowed words of each sentence, and the mean of the values in these "
    "shares"
)
task.require(
    "context and weights without a mask",
    PAIR,
    [Case("no mask, batch 2, length 5, d = 3", drawn("2 5; 2 5 3", dtype=double)),
     Case("no mask, all sizes equal 4", drawn("4 4; 4 4 4", dtype=double)),
     Case("no mask, one sentence", drawn("1 4; 1 4 3")),
     Case("scores around 1000 in one sentence, around -1000 in another", shifted("2 5; 2 5 3", _FAR)),
     Case("a score of 1000 beside others around 0", shifted("2 5; 2 5 3", _ONE_LARGE))],
    [Case("no mask, batch 5, length 3, d = 6", drawn("5 3; 5 3 6", dtype=double)),
     Case("no mask, one sentence of other sizes", drawn("1 6; 1 6 2", dtype=double)),
     Case("no mask, float32, all sizes equal", drawn("3 3; 3 3 3")),
     Case("scores around -2000", shifted("3 4; 3 4 2", -2e3))],
)  # fmt: skip
task.require(
    "hidden words get nothing, and the others all of it",
    PAIR,
    [Case("a mask, batch 3, length 6, d = 4", drawn("3 6; 3 6 4; mask: 3 6", dtype=double)),
     Case("a mask, all sizes equal 5", drawn("5 5; 5 5 5; mask: 5 5", dtype=double)),
     Case("large scores and values where nothing may be seen", loud),
     Case("a mask, scores around -2000", shifted("3 6; 3 6 4; mask: 3 6", -2e3))],
    [Case("a mask, one sentence", drawn("1 5; 1 5 3; mask: 1 5", dtype=double)),
     Case("a mask, float32", drawn("3 7; 3 7 5; mask: 3 7")),
     Case("large scores and values where other words are hidden", loud),
     Case("a mask, scores around 2000", shifted("4 6; 4 6 2; mask: 4 6", 2e3))],
)  # fmt: skip
task.require(
    "the gradients are those of the formula",
    "the derivative with respect to scores and values",
    [Case("the gradient of the context, a mask", drawn("2 4; 2 4 3; mask: 2 4", dtype=double), gradients(0)),
     Case("the gradient of the weights, no mask", drawn("2 4; 2 4 3", dtype=double), gradients(1))],
    [Case("the gradient of the context, no mask", drawn("3 5; 3 5 2", dtype=double), gradients(0)),
     Case("the gradient of the weights, a mask", drawn("3 5; 3 5 2; mask: 3 5", dtype=double), gradients(1))],
)  # fmt: skip
nothing = without_keys(1, "3 4; 3 4 2; mask: 3 4")
task.limits(
    "a sentence without an allowed word, one word, float16, and wrong input",
    [
        Case("nothing allowed in one sentence", nothing),
        Case("the gradient of the context, nothing allowed in one sentence", nothing, gradients(0)),
        Case("the gradient of the weights, nothing allowed in one sentence", nothing, gradients(1)),
        Case("nothing allowed at all", without_keys(slice(None), "2 3; 2 3 4; mask: 2 3")),
        Case("one word", drawn("3 1; 3 1 4; mask: 3 1", dtype=double)),
        Case("float16", drawn("2 5; 2 5 3", dtype=torch.float16)),
        refusal("scores without a batch", drawn("4; 4 3")),
        refusal("values of one sentence, which would broadcast", drawn("2 4; 1 4 3")),
        refusal("values with one word too few", drawn("2 4; 2 3 3")),
        refusal("a mask of numbers", drawn("2 4; 2 4 3; 2 4")),
        refusal("a mask with one word too few", drawn("2 4; 2 4 3; mask: 2 3")),
    ],
    "zeros where nothing is allowed, with finite gradients; otherwise the formula of the task",
)
