"""Task `attend` of exercise 03."""

import math

import torch
from torch.nn import functional as F

from course_checks.cases import Case, gradients, refusal
from course_checks.rnn_attention.shared import MASK, READY_MADE, UNIT, masked_weights, softmax
from course_checks.task import Task
from course_checks.words import Wrong

task = Task("attend", UNIT, READY_MADE)

_SHARES = "each sentence shares out its attention among its own words: over which dimension must the weights sum to 1?"
_MEAN = "what do the formula's two letters under the sum stand for? Work out two words by hand"
OVER = {
    "batch": Wrong("softmax runs over the batch (dim 0)", "not the rows but the columns sum to 1", _SHARES),
    "all": Wrong("softmax runs over all elements", "all numbers of the tensor together sum to 1", _SHARES),
    "nothing": Wrong("softmax is missing", "the rows do not sum to 1", _SHARES),
    "sigmoid": Wrong("sigmoid in the place of softmax", "the rows do not sum to 1",
                     "sigmoid looks at each score alone"),
    "exponential": Wrong("the exponentials are not divided by their sum", "the rows do not sum to 1", _SHARES),
    "no shift": Wrong("the exponential is taken of the scores themselves, without their maximum taken off",
                      "large scores overflow", "`torch.softmax` takes care of large scores"),
    "logarithm": Wrong("the logarithm of the weights is taken", "every number is negative", "softmax, not log_softmax"),
    "twice": Wrong("softmax is applied twice", "the weights are flatter than they should be", _SHARES),
    "hard": Wrong("the best word is chosen (`argmax`), which gives no gradient", "one word has the weight 1", _SHARES),
    "negative": Wrong("the sign of the scores is turned round", "the lowest score has the largest weight", _SHARES),
    "scaled": Wrong("the scores are divided by the root of a size", "the weights are flatter than they should be",
                    "softmax of the scores as they are"),
    "scaled d": Wrong("the scores are divided by the root of the width of the values",
                      "the weights are flatter than they should be", "softmax of the scores as they are"),
    "linear": Wrong("the scores are divided by their sum, without exponentials", "", _SHARES),
}  # fmt: skip

_MAXIMUM = Wrong("the largest of all scores is subtracted, hidden ones too: beside a large hidden score the allowed "
                 "ones "
                 "vanish, and their sum is 0", "", "which scores may decide what is subtracted?")  # fmt: skip


@task.oracle
def right(scores, values, mask=None):
    """Take torch's softmax of the allowed words of each sentence alone, and add up the values."""
    weights = torch.zeros_like(scores)
    for row in range(len(scores)):
        allowed = torch.ones_like(scores[row], dtype=torch.bool) if mask is None else mask[row]
        if allowed.any():
            weights[row, allowed] = scores[row, allowed].softmax(0)
    return torch.einsum("bl,bld->bd", weights, values), weights


def over_words(scores, how="words"):
    """Turn scores into weights with one choice."""
    if how in ("batch", "all"):
        return scores.softmax(0) if how == "batch" else scores.flatten().softmax(0).view_as(scores)
    if how in ("scaled", "negative"):
        hidden = scores == -math.inf
        return softmax(
            (-scores).masked_fill(hidden, -math.inf) if how == "negative" else scores / scores.shape[1] ** 0.5
        )
    changes = {
        "nothing": lambda: scores, "sigmoid": scores.sigmoid, "exponential": scores.exp,
        "logarithm": lambda: scores.log_softmax(-1), "twice": lambda: softmax(scores).softmax(-1),
        "no shift": lambda: scores.exp() / scores.exp().sum(-1, keepdim=True),
        "hard": lambda: F.one_hot(scores.argmax(-1), scores.shape[1]).to(scores.dtype),
        "linear": lambda: scores / scores.sum(-1, keepdim=True),
    }  # fmt: skip
    return changes.get(how, lambda: softmax(scores))()


@task.pipeline(
    masking={name: MASK[name] for name in MASK if name not in ("inverted, finite", "inverted, 0")}
    | {"zero and after": Wrong("the hidden scores become 0, and the mask is used after softmax too", "",
                               "set the hidden scores to a number whose exponential is 0"),
       "-1000 and after": Wrong("hidden scores become a number such as -1000, below which an allowed score may lie "
                                "too, and "
                                "the mask is used after softmax", "the rows sum to less than 1, or to 0",
                                "is there a number below every score?"),
       "maximum of all": _MAXIMUM, "maximum of all, guarded": _MAXIMUM,
       "values": Wrong("the mask is applied to the values, not to the scores", "hidden words still have a weight",
                       "do the weights of the words that are there sum to 1?")},
    over=OVER,
    mixed={
        "scores": Wrong("the values are summed with the scores, not with the weights", "", _MEAN),
        "no mask": Wrong("the context is computed with weights from before the mask",
                         "the context knows words that are hidden, though the weights do not",
                         "compute the context from the weights that you return"),
        "plain mean": Wrong("the plain mean of the values, without weights", "", _MEAN),
        "plain sum": Wrong("the plain sum of the values, without weights", "", _MEAN),
        "mean": Wrong("a mean over the words of weight times value, not the sum", "the context is too small", _MEAN),
        "best": Wrong("the value of the best word alone is taken (`argmax`)", "", _MEAN),
        "not summed": Wrong("the values are weighted, but not summed over the words", "", _MEAN),
        "over d": Wrong("the sum runs over the columns of the values, not over the words", "", _MEAN),
        "not squeezed": Wrong("a dimension of size 1 is left in the context", "", "take it away with `squeeze(1)`"),
        "other sentences": Wrong("the weights of one sentence meet the values of another", "", _MEAN),
    },
    returned={
        "turned": Wrong("the weights are returned first", "the two results come in the wrong order",
                        "compare with the order in the task"),
        "context": Wrong("only the context is returned", "", "the task asks for a pair"),
        "scores": Wrong("the scores are returned, not the weights", "", "what comes out of softmax?"),
        "logarithm": Wrong("the logarithm of the weights is returned", "", "the weights of a sentence sum to 1"),
        "detached": Wrong("the weights that are returned are cut off from the graph",
                          "no gradient flows from the weights back to the scores", "where do you write `.detach()`?"),
    },
    empty={
        "nan": Wrong("softmax of a row of nothing but -inf is 0 / 0", "the row is NaN", "give a row without any "
                     "allowed word other scores first, and set its weights to 0 afterwards"),
        "finite": Wrong("a large finite number such as -1e9 hides the words, and in a row without any allowed word all "
                        "scores are the same", "all weights of the row are equal", "set the weights of such a row to 0 "
                        "afterwards"),
        "context": Wrong("the context is computed before the weights of a row without words become 0",
                         "the context of such a row is not 0", "compute the context from the weights that you return"),
        "backward": Wrong("NaN is hidden in the result (`nan_to_num`, `where`), and not in its gradient",
                          "the gradient is NaN", "give the row other scores before softmax"),
    },
)  # fmt: skip
def attend(scores, values, mask=None, *, masking="before", over="words", mixed="sum", returned="pair", empty="zero"):
    """Look with one choice for each step."""

    def weigh(x):
        return over_words(x / values.shape[-1] ** 0.5 if over == "scaled d" else x, over)

    nothing = torch.zeros_like(scores[:, :1]).bool() if mask is None else ~mask.any(1, keepdim=True)
    if mask is not None and empty != "zero":
        hidden = ~mask & ~nothing if empty == "context" else ~mask
        filled = scores.masked_fill(hidden, -1e9 if empty == "finite" else -math.inf)
        weights = filled.softmax(-1)
        if empty == "backward":
            weights = (filled + 0 * scores).softmax(-1).nan_to_num()
    elif masking == "zero and after":
        weights = weigh(scores) if mask is None else weigh(scores * mask) * mask
    elif masking == "-1000 and after":
        weights = weigh(scores) if mask is None else weigh(scores.masked_fill(~mask, -1000.0)) * mask
    elif masking.startswith("maximum of all") and mask is not None:
        powers = (scores - scores.amax(1, keepdim=True)).exp() * mask
        total = powers.sum(1, keepdim=True)
        weights = powers / (total.masked_fill(total == 0, 1.0) if masking.endswith("guarded") else total)
    else:
        masking = "before" if masking.startswith("maximum of all") else masking
        weights = masked_weights(scores, mask, "not used" if masking == "values" else masking, weigh)
    used = weigh(scores) if mixed == "no mask" else weights
    used = used * mask if masking == "values" and mask is not None else used
    used = used.roll(1, 0) if mixed == "other sentences" else used
    products = used.unsqueeze(-1) * values
    mixes = {"scores": lambda: (scores.unsqueeze(-1) * values).sum(1), "plain mean": lambda: values.mean(1),
             "plain sum": lambda: values.sum(1), "mean": lambda: products.mean(1), "over d": lambda: products.sum(-1),
             "best": lambda: values[torch.arange(len(values)), weights.argmax(1)], "not summed": lambda: products,
             "not squeezed": lambda: products.sum(1, keepdim=True)}  # fmt: skip
    context = mixes.get(mixed, lambda: products.sum(1))()
    weights = weights.masked_fill(nothing, 0.0) if empty == "context" else weights
    results = {"turned": (weights, context), "context": context, "scores": (context, scores),
               "logarithm": (context, weights.log()),
               "detached": (context, weights.detach())}  # fmt: skip
    return results.get(returned, (context, weights))


def inputs(batch, length, d, masked=True, dtype=torch.float64, scale=1.0, nothing=None, shift=0.0):
    """Draw scores, values, and a mask which hides all words of one row if that is given."""

    def make(draw):
        drawn = draw(batch, length, dtype=dtype, scale=scale) + shift, draw(batch, length, d, dtype=dtype)
        if not masked:
            return drawn
        mask = draw.mask(batch, length)
        if nothing is not None:
            mask[nothing] = False
        return *drawn, mask

    return make


def loud(draw):
    """Draw inputs in which hidden words have large scores and values."""
    scores, values, mask = inputs(3, 5, 4)(draw)
    return scores.masked_fill(~mask, 1e4), values.masked_fill(~mask.unsqueeze(-1), 1e3), mask


PAIR = (
    "the context and the weights: softmax over the allowed words of each sentence, and the mean of the values in these "
    "shares"
)
task.require(
    "context and weights without a mask",
    PAIR,
    [Case("no mask, batch 2, length 5, d = 3", inputs(2, 5, 3, False)),
     Case("no mask, all sizes equal 4", inputs(4, 4, 4, False)),
     Case("no mask, one sentence", inputs(1, 4, 3, False, torch.float32)),
     Case("scores around 1000", inputs(2, 5, 3, False, shift=1e3))],
    [Case("no mask, batch 5, length 3, d = 6", inputs(5, 3, 6, False)),
     Case("no mask, one sentence of other sizes", inputs(1, 6, 2, False)),
     Case("no mask, float32, all sizes equal", inputs(3, 3, 3, False, torch.float32)),
     Case("scores around -2000", inputs(3, 4, 2, False, shift=-2e3))],
)  # fmt: skip
task.require(
    "hidden words get nothing, and the others all of it",
    PAIR,
    [Case("a mask, batch 3, length 6, d = 4", inputs(3, 6, 4)), Case("a mask, all sizes equal 5", inputs(5, 5, 5)),
     Case("large scores and values where nothing may be seen", loud),
     Case("a mask, scores around -2000", inputs(3, 6, 4, shift=-2e3))],
    [Case("a mask, one sentence", inputs(1, 5, 3)), Case("a mask, float32", inputs(3, 7, 5, True, torch.float32)),
     Case("large scores and values where other words are hidden", loud),
     Case("a mask, scores around 2000", inputs(4, 6, 2, shift=2e3))],
)  # fmt: skip
task.require(
    "the gradients are those of the formula",
    "the derivative with respect to scores and values",
    [Case("the gradient of the context, a mask", inputs(2, 4, 3), gradients(0)),
     Case("the gradient of the weights, no mask", inputs(2, 4, 3, False), gradients(1))],
    [Case("the gradient of the context, no mask", inputs(3, 5, 2, False), gradients(0)),
     Case("the gradient of the weights, a mask", inputs(3, 5, 2), gradients(1))],
)  # fmt: skip
task.limits(
    "a sentence without an allowed word, one word, float16, and wrong input",
    [
        Case("nothing allowed in one sentence", inputs(3, 4, 2, nothing=1)),
        Case("the gradient of the context, nothing allowed in one sentence", inputs(3, 4, 2, nothing=1), gradients(0)),
        Case("the gradient of the weights, nothing allowed in one sentence", inputs(3, 4, 2, nothing=1), gradients(1)),
        Case("nothing allowed at all", inputs(2, 3, 4, nothing=slice(None))),
        Case("one word", inputs(3, 1, 4)),
        Case("float16", inputs(2, 5, 3, masked=False, dtype=torch.float16)),
        refusal("scores without a batch", lambda draw: (draw(4), draw(4, 3))),
        refusal("values of one sentence, which would broadcast", lambda draw: (draw(2, 4), draw(1, 4, 3))),
        refusal("values with one word too few", lambda draw: (draw(2, 4), draw(2, 3, 3))),
        refusal("a mask of numbers", lambda draw: (draw(2, 4), draw(2, 4, 3), torch.ones(2, 4))),
        refusal("a mask with one word too few", lambda draw: (draw(2, 4), draw(2, 4, 3), torch.ones(2, 3).bool())),
    ],
    "zeros where nothing is allowed, with finite gradients; otherwise the formula of the task",
)
