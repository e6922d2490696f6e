"""Task `fixed_loss` of exercise 01: three bugs to find."""

import torch
from torch.nn import functional as F

from course_checks.cases import Case, gradients
from course_checks.sequence_transduction.shared import UNIT, right_loss
from course_checks.task import Task
from course_checks.words import Wrong
from transformer_course.common.tokens import EOS, PAD

task = Task("fixed_loss", UNIT)
_SURE = "what is the loss when one logit of each position, that of the right word, is 100 and the others are 0?"
_COUNT = "print labels and `real` of one padded row, one below the other"
_SHIFT = "print one row of `target`, and the labels that you make of it"
_MEAN = "one sum over all words, one division by their number"
SOFTMAX = Wrong("softmax is applied before cross_entropy, which applies it itself", "", _SURE)
LAYOUT = Wrong("`reshape` in the place of a transpose: it keeps the order of the numbers, and gives a position the "
               "logits of others", "", "number the logits with `torch.arange`, and print before and after")  # fmt: skip
MASK = Wrong("padding is looked for in the decoder's input, not in the labels: the place after EOS counts too", "",
             _COUNT)  # fmt: skip


@task.oracle
def right(logits, target):
    """Let torch leave the padding out."""
    return right_loss(logits, target[:, 1:], 0.0)


@task.pipeline(
    softmax={"left": SOFTMAX,
             "no logarithm": Wrong("`nll_loss` gets probabilities, not their logarithms", "", _SURE),
             "log": Wrong("the logarithm of softmax is taken over another dimension than the vocabulary", "", _SURE)},
    layout={"reshaped": LAYOUT},
    mask={
        "input": MASK,
        "none": Wrong("padding counts like a word", "", "add a column of padding: nothing may change"),
        "EOS too": Wrong("EOS is left out like padding", "", "the model has to learn to say EOS too"),
    },
    labels={
        "not shifted": Wrong("the labels are the words that the decoder has just read", "", _SHIFT),
    },
    mean={
        "all": Wrong("the mean is taken over padding too", "", "add a column of padding: nothing may change"),
        "sentences": Wrong("each sentence is averaged on its own: a word of a short sentence counts more", "", _MEAN),
        "batch": Wrong("the sum is divided by the number of sentences, not of words", "", _MEAN),
        "sum": Wrong("the sum is not divided by the number of words", "", _MEAN),
        "first mask": Wrong("the sum and the number of words use two different masks", "", _COUNT),
        "none": Wrong("there is one loss for each position, and no mean", "", _MEAN),
    },
)  # fmt: skip
def fixed_loss(logits, target, *, softmax="none", layout="transposed", mask="labels", labels="shifted", mean="words"):
    """Fix with one choice for each line."""
    words, reads = target[:, :-1] if labels == "not shifted" else target[:, 1:], target[:, :-1]
    real = {
        "input": reads != PAD,
        "none": torch.ones_like(words, dtype=torch.bool),
        "EOS too": (words != PAD) & (words != EOS),
    }.get(mask, words != PAD)
    scores = logits.softmax(-1) if softmax in ("left", "no logarithm") else logits
    scores = logits.log_softmax(1) if softmax == "log" else scores
    by_word = scores.reshape(len(words), -1, words.shape[1]) if layout == "reshaped" else scores.transpose(1, 2)
    criterion = F.nll_loss if softmax == "no logarithm" else F.cross_entropy
    losses = criterion(by_word, words, reduction="none") * real
    return {
        "all": lambda: losses.mean(),
        "sentences": lambda: (losses.sum(1) / real.sum(1)).mean(),
        "batch": lambda: losses.sum() / len(losses),
        "sum": lambda: losses.sum(),
        "first mask": lambda: losses.sum() / (reads != PAD).sum(),
        "none": lambda: losses,
    }.get(mean, lambda: losses.sum() / real.sum())()


@task.mistake("nothing is fixed yet: all three bugs are still there", "", _SURE)
def broken_loss(logits, target):
    """Change nothing."""
    return fixed_loss(logits, target, softmax="left", layout="reshaped", mask="input")


def inputs(vocab_size, *rows):
    """Draw logits for these rows of the target."""
    target = torch.tensor(rows)
    return lambda draw: (draw(len(rows), len(rows[0]) - 1, vocab_size, dtype=torch.float64, scale=2.0), target)


SOME = inputs(9, [1, 7, 6, 2, 0, 0], [1, 5, 3, 4, 6, 2], [1, 4, 2, 0, 0, 0])
OTHER = inputs(9, [1, 5, 6, 7, 4], [1, 4, 2, 0, 0], [1, 8, 8, 8, 8])
task.require(
    "the loss of the words that the decoder shall say",
    "the mean cross entropy of all words that the decoder shall say, EOS included, padding left out",
    [Case("3 sentences of 3, 5 and 2 words (EOS counted), vocabulary of 9", SOME),
     Case("rows without EOS", OTHER)],
    [Case("no padding", inputs(8, [1, 5, 6, 2], [1, 7, 4, 2])),
     Case("one sentence, much padding", inputs(6, [1, 5, 2, 0, 0, 0, 0]))],
)  # fmt: skip
task.require(
    "the gradient is that of this loss",
    "the derivative of the loss",
    [Case("the gradient, 3 sentences", SOME, gradients())],
    [Case("the gradient, rows without EOS", OTHER, gradients())],
)
