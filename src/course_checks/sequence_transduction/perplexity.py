"""Task `perplexity` of exercise 01, its stretch."""

import math

import torch

from course_checks.cases import Case
from course_checks.sequence_transduction.shared import UNIT, right_loss, sentences
from course_checks.task import Task
from course_checks.words import Wrong

task = Task("perplexity", UNIT)
_ALL = "one sum over the words of all batches, one division at the end"


@task.oracle
def right(batches, pad_id=0):
    """Join all labels to one long list first."""
    logits = torch.cat([each.flatten(0, 1) for each, _ in batches])
    return math.exp(right_loss(logits, torch.cat([each.flatten() for _, each in batches]), 0.0, pad_id).item())


@task.pipeline(
    mean={
        "batches": Wrong("it is the mean of the means of the batches", "", _ALL),
        "perplexities": Wrong("it is the mean of the perplexities of the batches", "", _ALL),
        "sentences": Wrong("the sum is divided by the number of sentences", "", _ALL),
        "last": Wrong("only the last batch counts", "", _ALL),
    },
    power={
        "none": Wrong("the exponential is missing", "", "show the definition of the task"),
        "2": Wrong("a power of 2 in the place of a power of e", "", "the loss is in nats"),
        "negative": Wrong("the sign is missing: it is 1 over the perplexity", "", "a perplexity is at least 1"),
    },
    smoothing={"0.1": Wrong("the loss is smoothed", "", "perplexity is that of the model, without smoothing")},
    left_out={"nothing": Wrong("padding counts in the number of words", "", "leave out what is equal to `pad_id`"),
              "0": Wrong("`pad_id` is not used", "", "leave out what is equal to `pad_id`")},
)  # fmt: skip
def perplexity(batches, pad_id=0, *, mean="words", power="e", smoothing="0", left_out="padding"):
    """Average with one choice for each step."""
    pad = 0 if left_out == "0" else pad_id
    losses = [right_loss(x, y.clamp(min=0) if pad != pad_id else y, float(smoothing), pad).item() for x, y in batches]
    numbers = [int((y != pad).sum()) for _, y in batches]
    total = sum(loss * number for loss, number in zip(losses, numbers, strict=True))
    if mean == "perplexities":
        return sum(map(math.exp, losses)) / len(losses)
    count = sum(y.numel() for _, y in batches) if left_out == "nothing" else sum(numbers)
    count = sum(len(y) for _, y in batches) if mean == "sentences" else count
    found = {"batches": sum(losses) / len(losses), "last": losses[-1]}.get(mean, total / count)
    return {"none": lambda: found, "2": lambda: 2**found, "negative": lambda: math.exp(-found)}.get(
        power, lambda: math.exp(found)
    )()


def batches(*lengths, pad_id=0):
    """Draw a batch for each tuple of lengths."""
    return lambda draw: ([sentences(each, 8, pad_id, scale=1.0)(draw) for each in lengths], pad_id)


task.require(
    "every word of every batch counts the same",
    "e to the mean loss of all words of all batches, padding left out",
    [Case("two batches of 7 and 2 words", batches((4, 3), (2,))),
     Case("pad_id = 6", batches((4, 1), (2, 3, 1), pad_id=6))],
    [Case("one batch", batches((3, 5))), Case("three batches", batches((1,), (6, 2), (3, 3), pad_id=7))],
)  # fmt: skip
