"""Task `mean_pool` of exercise 14."""

import torch

from course_checks.cases import Case, gradients, refusal
from course_checks.masked_language_model.shared import UNIT
from course_checks.task import Task
from course_checks.words import Wrong

task = Task("mean_pool", UNIT)

_COUNT = "take two sentences of 2 and 4 words, all vectors 1: what must the mean be, and what do you get?"
_REAL = "which words should be in the sum?"


@task.oracle
def right(hidden, mask):
    """Take the mean of the chosen rows, sentence by sentence."""
    rows = [
        row[real].mean(0) if real.any() else row.new_zeros(row.shape[1]) for row, real in zip(hidden, mask, strict=True)
    ]
    return torch.stack(rows) if rows else hidden.new_zeros(0, hidden.shape[2])


@task.pipeline(
    words={
        "all": Wrong("padding is in the mean: the mask is not used", "", _REAL),
        "inverted": Wrong("the mask is used the wrong way round: True means a real word", "", _REAL),
        "front": Wrong("as many words as are real are taken from the front of the sentence, wherever the real ones "
                       "stand", "", "which places does the mask choose, if it begins with False?"),
        "first": Wrong("only the first word is taken", "", "a mean is over all real words"),
        "largest": Wrong("the largest number over the words is taken, not the mean", "", _COUNT),
    },
    count={
        "length": Wrong("the sum is divided by the length of the batch, not by the number of real words",
                        "sentences with padding come out too small", _COUNT),
        "not": Wrong("the sum is not divided", "the sum came out", _COUNT),
        "batch": Wrong("the sum is divided by the number of real words of the whole batch", "", _COUNT),
        "square": Wrong("the sum is divided twice", "", _COUNT),
        "one more": Wrong("1 is added to the number of words, where only 0 has to be kept away", "", _COUNT),
        "root": Wrong("the sum is divided by the square root of the number of words", "", _COUNT),
    },
    over={
        "batch": Wrong("the mean runs over the sentences (dimension 0)", "", "print the shape: (batch, d)"),
        "features": Wrong("the mean runs over the features (dimension 2)", "", "print the shape: (batch, d)"),
    },
    empty={"nan": Wrong("0 is divided by 0", "a row without a real word gives NaN",
                        "which smallest number of words keeps the division safe?")},
    hidden_rows={
        "nan_to_num": Wrong("NaN at padding has spoilt the whole sentence, and `nan_to_num` turns that into 0",
                            "a sentence with NaN at padding comes out as zeros",
                            "replace what is hidden, before anything is added up: `masked_fill`, `where`"),
        "times": Wrong("padding is multiplied by 0, but 0 times NaN or infinity is NaN",
                       "NaN at padding comes through", "replace what is hidden: `masked_fill`, `where`"),
    },
)  # fmt: skip
def mean_pool(hidden, mask, *, words="real", count="real", over="words", empty="zeros", hidden_rows="replaced"):
    """Pool with one choice for each step."""
    front = torch.arange(mask.shape[1]) < mask.sum(1, keepdim=True)
    real = {"all": mask | True, "inverted": ~mask, "front": front}.get(words, mask)
    if words == "first":
        return hidden[:, 0]
    if words == "largest":
        return hidden.masked_fill(~mask[..., None], -torch.inf).amax(1)
    times = hidden_rows in ("times", "nan_to_num")
    kept = hidden * real[..., None] if times else hidden.masked_fill(~real[..., None], 0.0)
    number = real.sum(1, keepdim=True)
    number = {
        "length": torch.full_like(number, hidden.shape[1]), "not": torch.ones_like(number),
        "batch": number.sum(0, keepdim=True), "square": number**2, "one more": number + 1, "root": number**0.5,
    }.get(count, number)  # fmt: skip
    total = kept.sum({"batch": 0, "features": 2}.get(over, 1))
    if over != "words":
        return total / {"batch": len(hidden), "features": hidden.shape[2]}[over]
    mean = total / (number if empty == "nan" else number.clamp(min=1))
    return mean.nan_to_num(0) if hidden_rows == "nan_to_num" else mean


def inputs(batch, length, d, dtype=torch.float64):
    """Draw vectors and a mask that is not padding alone: real words stand anywhere."""
    return lambda draw: (draw(batch, length, d, dtype=dtype), draw.mask(batch, length))


def spoilt(draw):
    """Put NaN and infinity where there is no real word."""
    hidden, mask = inputs(3, 5, 2)(draw)
    return hidden.masked_fill(~mask[..., None], torch.nan).index_fill(0, torch.tensor([1]), 0.5), mask


def empty(draw):
    """Let one of the sentences have no real word."""
    hidden, mask = inputs(3, 4, 5)(draw)
    return hidden, mask & torch.tensor([True, False, True])[:, None]


EXPECTED = "the sum of the vectors of real words, divided by their number"
task.require(
    "the mean over the real words of each sentence",
    EXPECTED,
    [Case("3 sentences, length 5, d = 4", inputs(3, 5, 4)), Case("2 sentences without padding", lambda draw: (
        draw(2, 3, 6, dtype=torch.float64), torch.ones(2, 3, dtype=torch.bool)))],
    [Case("as many of everything", inputs(4, 4, 4)), Case("float32", inputs(2, 7, 3, torch.float32)),
     Case("one sentence", inputs(1, 6, 2))],
    _COUNT,
)  # fmt: skip
task.require(
    "the gradient reaches the real words",
    "the gradient of a mean: a share for each real word, 0 for padding",
    [Case("the gradient, 3 sentences of length 5", inputs(3, 5, 4), gradients())],
    [Case("the gradient, other sizes", inputs(2, 6, 3), gradients())],
)
task.limits(
    "a sentence without a word gives zeros, padding may hold NaN, and wrong input",
    [
        Case("a sentence without a real word", empty),
        Case("NaN where there is no real word", spoilt),
        refusal("a mask of numbers", lambda draw: (draw(2, 3, 4), torch.ones(2, 3)), "mask"),
        refusal("a mask for other sentences", lambda draw: (draw(2, 3, 4), draw.mask(2, 4)), "mask"),
        refusal("vectors without a batch", lambda draw: (draw(3, 4), draw.mask(3, 4)), "hidden"),
    ],
)
