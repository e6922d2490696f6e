"""Task `perplexity` of exercise 01, its stretch."""

import math

import torch

from course_checks.cases import Case
from course_checks.sequence_transduction.shared import UNIT, right_loss, sentences
from course_checks.task import Task

task = Task("perplexity", UNIT)
_ALL = "one sum over the words of all batches, one division at the end"


@task.oracle
def right(batches, pad_id=0):
    """Join all labels to one long list first."""
    logits = torch.cat([each.flatten(0, 1) for each, _ in batches])
    return math.exp(right_loss(logits, torch.cat([each.flatten() for _, each in batches]), 0.0, pad_id).item())


# fmt: off
_MEANS = ("-sequence_log_probability(x, y, pad_id).sum().item() / (y != pad_id).sum().item()", "for x, y in batches")
_PADDING = "leave out what is equal to `pad_id`"
task.edit("total / number", {
    f"sum({' '.join(_MEANS)}) / -len(batches)": ("it is the mean of the means of the batches", _ALL),
    f"sum({' '.join(_MEANS)}) / -number": (
        "the means of the batches are added up, and divided by the number of words", _ALL),
    "total / sum(len(labels) for _, labels in batches)": ("the sum is divided by the number of sentences", _ALL)})
task.edit("math.exp(-total / number)", {f"sum(math.exp({_MEANS[0]}) {_MEANS[1]}) / len(batches)": (
    "it is the mean of the perplexities of the batches", _ALL)})
task.edit("total = ", {"batches = batches[-1:]\ntotal = ": ("only the last batch counts", _ALL)})
task.edit("math.exp(-", {
    "(-": ("the exponential is missing", "show the definition of the task"),
    "2 ** (-": ("a power of 2 in the place of a power of e", "the loss is in nats"),
    "math.exp(": ("the sign is missing: it is 1 over the perplexity", "a perplexity is at least 1")})
task.edit("sequence_log_probability(logits, labels, pad_id)", {
    "(-label_smoothing_loss(logits, labels, 0.1, pad_id) * (labels != pad_id))": (
        "the loss is smoothed", "perplexity is that of the model, without smoothing")})
task.edit("(labels != pad_id).sum().item()", {"labels.numel()": ("padding counts in the number of words", _PADDING)})
task.edit_places({"labels, pad_id)": "labels)", "!= pad_id": "!= PAD"}, "`pad_id` is not used", _PADDING)
# fmt: on


def batches(*lengths, pad_id=0):
    """Draw a batch for each tuple of lengths."""
    return lambda draw: ([sentences(each, 8, pad_id, scale=1.0)(draw) for each in lengths], pad_id)


task.require("every word of every batch counts the same",
             "e to the mean loss of all words of all batches, padding left out",
             [Case("two batches of 7 and 2 words", batches((4, 3), (2,))),
              Case("pad_id = 6", batches((4, 1), (2, 3, 1), pad_id=6))],
             [Case("one batch", batches((3, 5))),
              Case("three batches", batches((1,), (6, 2), (3, 3), pad_id=7))])  # fmt: skip
