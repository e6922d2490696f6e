"""Task `fixed_loss` of exercise 13: two bugs to find."""

import torch
from torch.nn import functional as F

from course_checks.cases import Case
from course_checks.language_model.models import CountsUp
from course_checks.language_model.shared import UNIT
from course_checks.task import Task
from course_checks.words import Wrong

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


@task.pipeline(
    labels={
        "inside": Wrong("the first token of each window but the first is still never predicted", "", _COUNT),
        "overlap": Wrong("the windows overlap now, but the last token of the text, or a token between two windows, is "
                         "predicted twice or never", "", _COUNT),
        "step": Wrong("the windows begin every `length - 1` tokens and ask `length - 1` questions; the task's begin "
                      "every `length` tokens, and a full one asks `length`", "",
                      "print the inputs of each window for 11 tokens and length 5: where does the second begin?"),
        "same": Wrong("the labels are the inputs themselves", "", "what follows the last token of a window?"),
    },
    mean={
        "of means": Wrong("the mean over the windows is taken still: a short last window counts as much as a full one",
                          "", _WEIGHT),
        "by windows": Wrong("the sum is divided by the number of windows times length, also when the last one is "
                            "shorter", "", _WEIGHT),
        "by tokens": Wrong("the sum is divided by the number of tokens; the first one is not predicted", "", _COUNT),
    },
    end={"dropped": Wrong("the last window is left out when it is shorter", "", _COUNT)},
)  # fmt: skip
def fixed_loss(model, tokens, length, *, labels="next", mean="of all", end="kept"):
    """Fix with one choice for each line."""
    losses = []
    for start in range(0, len(tokens) - 1, max(length - 1, 1) if labels in ("overlap", "step") else length):
        inputs, wanted = tokens[start : start + length], tokens[start + 1 : start + length + 1]
        if labels == "inside" or (labels == "step" and length > 1):
            inputs, wanted = inputs[:-1], inputs[1:]
        elif labels == "same":
            wanted = inputs
        inputs = inputs[: len(wanted)]
        if not len(wanted) or (end == "dropped" and len(wanted) < length and losses):
            continue
        losses.append(F.cross_entropy(model(inputs[None])[0], wanted, reduction="none"))
    if mean == "of means":
        return torch.stack([each.mean() for each in losses]).mean()
    total = torch.cat(losses)
    divisor = {"by windows": len(losses) * length, "by tokens": len(tokens)}.get(mean, len(total))
    return total.sum() / divisor


def drawn(num_tokens, length):
    """Draw a text that counts up most of the time."""

    def make(draw):
        text = torch.arange(num_tokens) % 6
        return (
            CountsUp(6, 50),
            torch.where(draw.integers(0, 4, num_tokens) == 0, draw.integers(0, 6, num_tokens), text),
            length,
        )

    return make


EXPECTED = "the mean over all predictions: every token but the first is predicted once, and each counts the same"
task.require(
    "every token but the first is predicted once",
    EXPECTED,
    [Case("11 tokens, length 5", drawn(11, 5)), Case("21 tokens, length 5", drawn(21, 5))],
    [Case("13 tokens, length 4", drawn(13, 4)), Case("one window", drawn(9, 8))],
    _COUNT,
)
task.require(
    "a short last window counts for as many predictions as it has",
    EXPECTED,
    [Case("6 tokens, length 4", drawn(6, 4)), Case("15 tokens, length 6", drawn(15, 6))],
    [Case("a last window with one prediction", drawn(22, 5)), Case("length 1", drawn(8, 1)),
     Case("a text shorter than the window", drawn(7, 20))],
    _WEIGHT,
)  # fmt: skip
