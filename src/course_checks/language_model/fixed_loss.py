"""Task `fixed_loss` of exercise 13: two bugs to find."""

import torch

from course_checks.cases import Case
from course_checks.language_model.models import CountsUp
from course_checks.language_model.shared import UNIT
from course_checks.task import Task

task = Task("fixed_loss", UNIT)
_COUNT = "count the predictions: how many are there for 11 tokens and length 5, and which token is never predicted?"
_WEIGHT = "take 6 tokens and length 4: how much does each of the two windows count, and how many predictions has it?"


@task.oracle
def right(model, tokens, length):
    """Ask for every token, with what stands before it in its window."""
    losses = []
    for place in range(1, len(tokens)):
        start = (place - 1) // length * length
        logits = model(tokens[start:place][None])[0, -1]
        losses.append(-logits.log_softmax(-1)[tokens[place]].item())
    return torch.tensor(sum(losses) / len(losses), dtype=torch.float64)


# fmt: off
_WHERE = "print the inputs of each window for 11 tokens and length 5: where does the second begin?"
task.edit("start + length + 1", {
    "start + length": ("the first token of each window but the first is still never predicted", _COUNT)})
task.edit("- 1, length)", {"- 1, max(length - 1, 1))": (
    "the windows overlap now, but the last token of the text, or a token between two windows, is predicted twice or "
    "never", _COUNT)})
task.edit_places({"- 1, length)": "- 1, max(length - 1, 1))", "start + length + 1": "start + max(length, 2)"},
                 "the windows begin every `length - 1` tokens and ask `length - 1` questions; the task's begin every "
                 "`length` tokens, and a full one asks `length`", _WHERE)
task.edit("window[1:]", {"window[:-1]": (
    "the labels are the inputs themselves", "what follows the last token of a window?")})
task.edit("inputs, labels = window[:-1]", {"inputs, labels = tokens[start : start + length]": (
    "the last token of the text is an input, too, though no token follows it",
    "print inputs and labels of the last window, for 6 tokens and length 4")})
task.edit("torch.cat(losses).mean()", {
    "torch.stack([each.mean() for each in losses]).mean()": (
        "the mean over the windows is taken still: a short last window counts as much as a full one", _WEIGHT),
    "torch.cat(losses).sum() / (len(losses) * length)": (
        "the sum is divided by the number of windows times length, also when the last one is shorter", _WEIGHT),
    "torch.cat(losses).sum() / len(tokens)": (
        "the sum is divided by the number of tokens; the first one is not predicted", _COUNT)})
task.edit("losses.append(", {"if len(labels) == length or not losses:\n    losses.append(": (
    "the last window is left out when it is shorter", _COUNT)})
# fmt: on


def drawn(num_tokens, length):
    """Draw a text that counts up most of the time."""

    def make(draw):
        other = draw.integers(0, 4, num_tokens) == 0
        return (
            CountsUp(6, 50),
            torch.where(other, draw.integers(0, 6, num_tokens), torch.arange(num_tokens) % 6),
            length,
        )

    return make


EXPECTED = "the mean over all predictions: every token but the first is predicted once, and each counts the same"
task.require("every token but the first is predicted once", EXPECTED,
    [Case("11 tokens, length 5", drawn(11, 5)), Case("21 tokens, length 5", drawn(21, 5))],
    [Case("13 tokens, length 4", drawn(13, 4)), Case("one window", drawn(9, 8))],
    _COUNT)  # fmt: skip
task.require("a short last window counts for as many predictions as it has", EXPECTED,
    [Case("6 tokens, length 4", drawn(6, 4)), Case("15 tokens, length 6", drawn(15, 6))],
    [Case("a last window with one prediction", drawn(22, 5)), Case("length 1", drawn(8, 1)),
     Case("a text shorter than the window", drawn(7, 20))],
    _WEIGHT)  # fmt: skip
