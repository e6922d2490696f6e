"""Task `share_on_padding` of exercise 03, and the predictions that the experiment answers."""

import torch

from course_checks.cases import Case
from course_checks.predictions import Predictions
from course_checks.rnn_attention.shared import UNIT
from course_checks.task import Task
from course_checks.words import Wrong

task = Task("share_on_padding", UNIT)

_ROW = "work out one row of three words by hand, of which the last is padding"
_MEAN = "over how many rows is the mean? Print the shape at each step"


@task.oracle
def right(weights, lengths):
    """Add up the weights on padding row by row."""
    rows = [float(row[n:].sum()) for sentence, n in zip(weights, lengths.tolist(), strict=True) for row in sentence]
    return sum(rows) / len(rows)


@task.pipeline(
    padding={
        "words": Wrong("the share of the real words is returned", "", _ROW),
        "one more": Wrong("the last real word is taken for padding: off by one", "",
                          "which number has the last real word?"),
        "one less": Wrong("the first word of the padding is taken for real: off by one", "",
                          "which number has the first word of the padding?"),
        "first sentence": Wrong("the length of the first sentence is used for all", "", "each sentence has its length"),
    },
    taken={
        "positions": Wrong("the weights are not used: positions are counted", "", _ROW),
        "total": Wrong("the sum over all rows, not their mean", "", _MEAN),
        "by sentence": Wrong("the mean over the sentences, but the sum over the target words", "", _MEAN),
        "by word": Wrong("the mean over the target words, but the sum over the sentences", "", _MEAN),
        "everything": Wrong("the mean over the columns too, not their sum", "", _MEAN),
        "of padding": Wrong("the mean over the weights on padding, not over the rows", "", _MEAN),
        "largest row": Wrong("the largest row is taken, not the mean of the rows", "", _MEAN),
        "count": Wrong("the weights are not used: positions on padding are counted", "", _ROW),
        "largest": Wrong("the largest weight on padding is taken, not their sum", "", _MEAN),
        "padded rows": Wrong("the mean runs only over the sentences with padding", "",
                             "the mean is over all rows"),
        "rows": Wrong("the mean over the rows is missing: there is a number for each row", "", _MEAN),
    },
    result={"tensor": Wrong("the result is still a tensor", "", "turn a tensor of one number into a Python number with "
                            "`.item()`")},
)  # fmt: skip
def share_on_padding(weights, lengths, *, padding="padding", taken="mean", result="number"):
    """Measure with one choice for each step."""
    batch, m, n = weights.shape
    ends = lengths.unsqueeze(1) + {"one more": -1, "one less": 1}.get(padding, 0)
    ends = ends[:1].expand(batch, 1) if padding == "first sentence" else ends
    chosen = (torch.arange(n) >= ends).unsqueeze(1).expand(batch, m, n)
    chosen = ~chosen if padding == "words" else chosen
    rows = (weights * chosen).sum(-1)  # (batch, m)
    share = {
        "positions": lambda: chosen.to(weights.dtype).mean(), "total": rows.sum,
        "by sentence": lambda: rows.mean(0).sum(),
        "by word": lambda: rows.mean(1).sum(), "largest row": rows.max, "count": lambda: chosen.double().sum(-1).mean(),
        "everything": lambda: (weights * chosen).mean(),
        "of padding": lambda: weights[chosen].mean(), "largest": lambda: (weights * chosen).amax(-1).mean(),
        "padded rows": lambda: rows[chosen.any(-1)].mean(), "rows": lambda: rows,
    }.get(taken, rows.mean)()  # fmt: skip
    return share if result == "tensor" or taken == "rows" else share.item()


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
