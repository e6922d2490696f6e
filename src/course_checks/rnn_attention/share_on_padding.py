"""Task `share_on_padding` of exercise 03, and the predictions that the experiment answers."""

import torch

from course_checks.cases import Case
from course_checks.predictions import Predictions
from course_checks.rnn_attention.shared import UNIT
from course_checks.task import Task

task = Task("share_on_padding", UNIT)


@task.oracle
def right(weights, lengths):
    """Add up the weights on padding row by row."""
    rows = [float(row[n:].sum()) for sentence, n in zip(weights, lengths.tolist(), strict=True) for row in sentence]
    return sum(rows) / len(rows)


# fmt: off
_ROW = "work out one row of three words by hand, of which the last is padding"
_MEAN = "over how many rows is the mean? Print the shape at each step"
_CHOSEN, _SUMS = "padding.unsqueeze(1).expand_as(weights)", "(weights * padding.unsqueeze(1)).sum(dim=-1)"
task.edit(">=", {
    "<": ("the share of the real words is returned", _ROW),
    ">": ("the first word of the padding is taken for real: off by one",
          "which number has the first word of the padding?")})
task.edit("lengths.unsqueeze(1)", {
    "lengths.unsqueeze(1) - 1": ("the last real word is taken for padding: off by one",
                                 "which number has the last real word?"),
    "lengths[:1].unsqueeze(1)": ("the length of the first sentence is used for all", "each sentence has its length")})
task.cancel(">", "lengths.unsqueeze(1) - 1")
task.edit_places({"shape[-1]": "shape[1]", "padding.unsqueeze(1)": "padding.unsqueeze(2)"}, "target words past the "
                 "length are taken for padding, not source words", "which dimension of the map are the source words?")
task.edit(f"{_SUMS}.mean()", {
    f"{_CHOSEN}.double().mean()": ("the weights are not used: positions are counted", _ROW),
    f"{_CHOSEN}.double().sum(dim=-1).mean()": ("the weights are not used: positions on padding are counted", _ROW),
    f"{_SUMS}.sum()": ("the sum over all rows, not their mean", _MEAN),
    f"{_SUMS}.mean(dim=0).sum()": ("the mean over the sentences, but the sum over the target words", _MEAN),
    f"{_SUMS}.mean(dim=1).sum()": ("the mean over the target words, but the sum over the sentences", _MEAN),
    f"{_SUMS}.max()": ("the largest row is taken, not the mean of the rows", _MEAN),
    f"{_SUMS}[padding.any(dim=-1)].mean()": (
        "the mean runs only over the sentences with padding", "the mean is over all rows"),
    "(weights * padding.unsqueeze(1)).mean()": ("the mean over the columns too, not their sum", _MEAN),
    f"weights[{_CHOSEN}].mean()": ("the mean over the weights on padding, not over the rows", _MEAN),
    "(weights * padding.unsqueeze(1)).amax(dim=-1).mean()": (
        "the largest weight on padding is taken, not their sum", _MEAN)})
task.edit(".mean().item()", {
    "": ("the mean over the rows is missing: there is a number for each row", _MEAN),
    ".mean()": ("the result is still a tensor", "turn a tensor of one number into a Python number with `.item()`")})
# fmt: on


def inputs(m, n, lengths):
    """Draw weights."""
    return lambda draw: (draw(len(lengths), m, n, dtype=torch.float64).softmax(-1), torch.tensor(lengths))


task.require(
    "the share of the attention that falls on padding",
    "for each row the sum of the weights on padding, and the mean of these sums",
    [Case("3 target words, 5 source words, lengths 5, 2, 1 and 4", inputs(3, 5, [5, 2, 1, 4])),
     Case("no padding", inputs(4, 3, [3, 3]))],
    [Case("one sentence", inputs(4, 5, [2])), Case("other lengths", inputs(5, 7, [3, 7, 1, 6])),
     Case("as many of everything", inputs(4, 4, [1, 4, 2, 3])), Case("one target word", inputs(1, 6, [4, 2, 6]))],
)  # fmt: skip


# The experiment trains on the learner's parts for half a minute; its words are the same for every seed that was tried.
predictions = Predictions(
    ("one vector, 2 to 6 words", "looks back, 2 to 6 words", "looks back, 6 to 9 words", "padding, 5 to 1 words"),
    lambda: ("falls", "stays", "falls", "rises"),
    "task 8",
)
