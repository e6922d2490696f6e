"""Task `mean_pool` of exercise 14."""

import torch

from course_checks.cases import Case, drawn, gradients, refusal
from course_checks.masked_language_model.shared import UNIT
from course_checks.task import Task

task = Task("mean_pool", UNIT)

_COUNT = "take two sentences of 2 and 4 words, all vectors 1: what must the mean be, and what do you get?"
_REAL = "which words should be in the sum?"
_AXIS = "print the shape: (batch, d)"


@task.oracle
def right(hidden, mask):
    """Take the mean of the chosen rows, sentence by sentence."""
    rows = [
        row[real].mean(0) if real.any() else row.new_zeros(row.shape[1]) for row, real in zip(hidden, mask, strict=True)
    ]
    return torch.stack(rows) if rows else hidden.new_zeros(0, hidden.shape[2])


# fmt: off
_KEPT, _NUMBER = "hidden.masked_fill(~mask.unsqueeze(-1), 0.0)", "mask.sum(dim=1, keepdim=True).clamp(min=1)"
task.edit("total = ", {
    "mask = torch.ones_like(mask)\ntotal = ": ("padding is in the mean: the mask is not used", _REAL),
    "mask = ~mask\ntotal = ": ("the mask is used the wrong way round: True means a real word", _REAL),
    "mask = torch.arange(mask.shape[1]) < mask.sum(1, keepdim=True)\ntotal = ": (
        "as many words as are real are taken from the front of the sentence, wherever the real ones stand",
        "which places does the mask choose, if it begins with False?")})
task.edit(_KEPT, {
    "hidden": ("the vectors of padding are in the sum; only their number is left out", _REAL),
    "(hidden * mask.unsqueeze(-1))": (
        "padding is multiplied by 0, but 0 times NaN or infinity is NaN", "replace what is hidden: `masked_fill`, "
        "`where`", "NaN at padding comes through")})
task.edit_places({_KEPT: "(hidden * mask.unsqueeze(-1))", f"total / {_NUMBER}": f"(total / {_NUMBER}).nan_to_num(0)"},
                 "NaN at padding has spoilt the whole sentence, and `nan_to_num` turns that into 0",
                 "replace what is hidden, before anything is added up: `masked_fill`, `where`",
                 "a sentence with NaN at padding comes out as zeros")
task.edit(f"{_KEPT}.sum(dim=1)\nreturn total / {_NUMBER}", {
    "hidden\nreturn total[:, 0]": ("only the first word is taken", "a mean is over all real words"),
    "hidden.masked_fill(~mask.unsqueeze(-1), -torch.inf)\nreturn total.amax(dim=1)": (
        "the largest number over the words is taken, not the mean", _COUNT),
    "hidden[mask]\nreturn total.mean(dim=0).expand(len(mask), -1)": (
        "one mean over the real words of all sentences is taken", "a mean for each sentence"),
    f"{_KEPT}\nreturn total.mean(dim=0)": ("the mean runs over the sentences (dimension 0)", _AXIS),
    f"{_KEPT}\nreturn total.mean(dim=2)": ("the mean runs over the features (dimension 2)", _AXIS)})
task.edit(f"total / {_NUMBER}", {
    "total / mask.shape[1]": (
        "the sum is divided by the length of the batch, not by the number of real words", _COUNT,
        "sentences with padding come out too small"),
    "total": ("the sum is not divided", _COUNT, "the sum came out"),
    "total / mask.sum()": ("the sum is divided by the number of real words of the whole batch", _COUNT),
    "total / mask.sum(dim=1).max().clamp(min=1)": (
        "every sum is divided by the largest number of real words in the batch, not by its own", _COUNT),
    f"total / {_NUMBER}**2": ("the sum is divided twice", _COUNT),
    f"total / {_NUMBER}**0.5": ("the sum is divided by the square root of the number of words", _COUNT),
    "total / (mask.sum(dim=1, keepdim=True) + 1)": (
        "1 is added to the number of words, where only 0 has to be kept away", _COUNT),
    "total / mask.sum(dim=1, keepdim=True)": (
        "0 is divided by 0, or the mean of no word is taken", "which smallest number of words keeps the division safe?",
        "a row without a real word gives NaN")})
# fmt: on


def inputs(sizes, dtype=torch.float64):
    """Draw vectors and a mask that is not padding alone: real words stand anywhere."""
    return drawn(f"{sizes}; mask: {sizes.rpartition(' ')[0]}", dtype=dtype)


def spoilt(draw):
    """Put NaN and infinity where there is no real word."""
    hidden, mask = inputs("3 5 2")(draw)
    return hidden.masked_fill(~mask[..., None], torch.nan).index_fill(0, torch.tensor([1]), 0.5), mask


def empty(draw):
    """Let one of the sentences have no real word."""
    hidden, mask = inputs("3 4 5")(draw)
    return hidden, mask & torch.tensor([True, False, True])[:, None]


EXPECTED = "the sum of the vectors of real words, divided by their number"
task.require("the mean over the real words of each sentence", EXPECTED,
    [Case("3 sentences, length 5, d = 4", inputs("3 5 4")), Case("2 sentences without padding", drawn(
        "2 3 6", torch.ones(2, 3, dtype=torch.bool), dtype=torch.float64))],
    [Case("as many of everything", inputs("4 4 4")), Case("float32", inputs("2 7 3", torch.float32)),
     Case("one sentence", inputs("1 6 2"))],
    _COUNT)  # fmt: skip
task.require("the gradient reaches the real words", "the gradient of a mean: a share for each real word, 0 for padding",
    [Case("the gradient, 3 sentences of length 5", inputs("3 5 4"), gradients())],
    [Case("the gradient, other sizes", inputs("2 6 3"), gradients())])  # fmt: skip
task.limits("a sentence without a word gives zeros, padding may hold NaN, and wrong input",
    [Case("a sentence without a real word", empty), Case("NaN where there is no real word", spoilt),
     refusal("a mask of numbers", drawn("2 3 4; 2 3"), "mask"),
     refusal("a mask for other sentences", drawn("2 3 4; mask: 2 4"), "mask"),
     refusal("vectors without a batch", drawn("3 4; mask: 3 4"), "hidden")])  # fmt: skip
