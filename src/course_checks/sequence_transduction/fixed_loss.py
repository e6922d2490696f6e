"""Task `fixed_loss` of exercise 01: three bugs to find."""

import torch

from course_checks.cases import Case, gradients
from course_checks.sequence_transduction.shared import UNIT, right_loss, saying
from course_checks.task import Task

task = Task("fixed_loss", UNIT)


@task.oracle
def right(logits, target):
    """Let torch leave the padding out."""
    return right_loss(logits, target[:, 1:], 0.0)


# fmt: off
_SURE = "what is the loss when one logit of each position, that of the right word, is 100 and the others are 0?"
_COUNT = "print labels and `real` of one padded row, one below the other"
_SHIFT = "print one row of `target`, and the labels that you make of it"
_MEAN = "one sum over all words, one division by their number"
_REAL, _COLUMN = "(labels != PAD)", "add a column of padding: nothing may change"
_LAYOUT = ".reshape(len(labels), -1, labels.shape[1])"
task.edit("F.cross_entropy(logits", {
    "F.cross_entropy(logits.softmax(-1)": ("softmax is applied before cross_entropy, which applies it itself", _SURE),
    "F.nll_loss(logits.softmax(-1)": ("`nll_loss` gets probabilities, not their logarithms", _SURE),
    "F.cross_entropy(logits.log_softmax(1)": (
        "the logarithm of softmax is taken over another dimension than the vocabulary", _SURE)})
task.edit(".transpose(1, 2)", {_LAYOUT: (
    "`reshape` in the place of a transpose: it keeps the order of the numbers, and gives a position the logits of "
    "others", "number the logits with `torch.arange`, and print before and after")})
task.edit_all(_REAL, {
    "(target[:, :-1] != PAD)": ("padding is looked for in the decoder's input, not in the labels: the place after EOS "
        "counts too", _COUNT),
    "torch.ones_like(labels)": ("padding counts like a word", _COLUMN),
    "(labels > EOS)": ("EOS is left out like padding", "the model has to learn to say EOS too")})
task.edit("target[:, 1:]", {
    "target[:, :-1]": ("the labels are the words that the decoder has just read", _SHIFT)})
task.edit(f"losses.sum() / {_REAL}.sum()", {
    "losses.mean()": ("the mean is taken over padding too", _COLUMN),
    f"(losses.sum(1) / {_REAL}.sum(1)).mean()": (
        "each sentence is averaged on its own: a word of a short sentence counts more", _MEAN),
    "losses.sum() / len(losses)": ("the sum is divided by the number of sentences, not of words", _MEAN),
    "losses.sum()": ("the sum is not divided by the number of words", _MEAN),
    "losses.sum() / (target[:, :-1] != PAD).sum()": (
        "the sum and the number of words use two different masks", _COUNT),
    "losses": ("there is one loss for each position, and no mean", _MEAN)})
task.edit_places({"logits.transpose(1, 2)": f"logits.softmax(-1){_LAYOUT}", f" * {_REAL}": " * (target[:, :-1] != PAD)",
                  f"{_REAL}.sum()": "(target[:, :-1] != PAD).sum()"},
                 "nothing is fixed yet: all three bugs are still there", _SURE)
# fmt: on


def inputs(vocab_size, *rows):
    """Draw logits for these rows of the target."""
    target = torch.tensor(rows)
    return lambda draw: (draw(len(rows), len(rows[0]) - 1, vocab_size, dtype=torch.float64, scale=2.0), target)


SOME = inputs(9, [1, 7, 6, 2, 0, 0], [1, 5, 3, 4, 6, 2], [1, 4, 2, 0, 0, 0])
OTHER = inputs(9, [1, 5, 6, 7, 4], [1, 4, 2, 0, 0], [1, 8, 8, 8, 8])
task.require("the loss of the words that the decoder shall say",
             "the mean cross entropy of all words that the decoder shall say, EOS included, padding left out",
             [Case("one sentence of one word", inputs(9, [1, 7]), saying(
                  "what happens to the logits before `cross_entropy`, or to the loss after it", _SURE)),
              Case("2 sentences of 3 words, no padding", inputs(9, [1, 5, 6, 2], [1, 7, 4, 2]), saying(
                  "not every position gets the logits and the label of its own", "number the logits with "
                  "`torch.arange`, and print them beside the labels, as they go into `cross_entropy`")),
              Case("3 sentences of 3, 5 and 2 words (EOS counted)", SOME, saying(
                  "not the right positions count, in the sum, in the number of words, or in both", _COUNT)),
              Case("rows without EOS", OTHER)],
             [Case("no padding", inputs(8, [1, 5, 6, 7, 2], [1, 7, 4, 4, 2])),
              Case("one sentence, much padding", inputs(6, [1, 5, 2, 0, 0, 0, 0]))])  # fmt: skip
task.require("the gradient is that of this loss", "the derivative of the loss",
             [Case("the gradient, 3 sentences", SOME, gradients())],
             [Case("the gradient, rows without EOS", OTHER, gradients())])  # fmt: skip
