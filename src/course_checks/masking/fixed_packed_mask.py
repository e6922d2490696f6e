"""Task `fixed_packed_mask` of exercise 06: two bugs to find."""

import torch

from course_checks.cases import Case
from course_checks.masking.shared import READY_MADE, UNIT
from course_checks.task import Task
from course_checks.words import Wrong
from transformer_course.common.tokens import BOS, EOS

task = Task("fixed_packed_mask", UNIT, READY_MADE)

_BORDER = "print the numbers of the sentences below the tokens of one row: to which sentence does its EOS belong?"
_HEADS = "take 2 examples that differ and 3 heads, and print which example each of the 6 masks belongs to"


@task.oracle
def right(tokens, num_heads):
    """Go through all pairs of positions of all examples."""
    masks = []
    for row in tokens.tolist():
        number = [row[: i + 1].count(BOS) for i in range(len(row))]
        mask = [[j <= i and number[i] == number[j] for j in range(len(row))] for i in range(len(row))]
        masks += [mask] * num_heads
    return torch.tensor(masks, dtype=torch.bool)


@task.pipeline(
    border={
        "before EOS": Wrong("EOS still belongs to the sentence after it", "", _BORDER),
        "after BOS": Wrong("BOS belongs to the sentence before it", "", _BORDER),
        "both alone": Wrong("the borders count twice: between BOS and EOS a sentence changes its number", "", _BORDER),
        "none": Wrong("sentences are no longer kept apart: each sees all that stands before it", "",
                      "what should `same` say of two sentences?"),
    },
    order={
        "heads first": Wrong("the masks still come example by example, again and again: mask 1 is that of the second "
                             "example, not of the second head of the first", "", _HEADS),
        "one head": Wrong("the heads are left out", "there is one mask for each example, not for each head", _HEADS),
    },
    triangle={
        "none": Wrong("the future is no longer hidden", "positions see later words of their sentence",
                      "fix the two lines, leave the others as they are"),
        "strict": Wrong("no position sees itself", "the diagonal is hidden",
                        "fix the two lines, leave the others as they are"),
    },
)  # fmt: skip
def fixed_packed_mask(tokens, num_heads, *, border="BOS", order="example by example", triangle="lower"):
    """Fix with one choice for each of the two lines."""
    begins, ends = (tokens == BOS).cumsum(1), (tokens == EOS).cumsum(1)
    number = {"before EOS": ends, "after BOS": begins - (tokens == BOS).long(), "both alone": begins + ends}.get(
        border, begins
    )
    same = (number[:, :, None] == number[:, None, :]) | (border == "none")
    position = torch.arange(tokens.shape[1])
    back = position[:, None] - position
    mask = same & {"none": back == back, "strict": back > 0}.get(triangle, back >= 0)
    each = {"heads first": lambda: mask.repeat(num_heads, 1, 1), "one head": lambda: mask}
    return each.get(order, lambda: mask.repeat_interleave(num_heads, 0))()


def packed(batch, length, num_heads):
    """Draw rows that are full of sentences; the last one of a row is cut, if it does not fit."""

    def make(draw):
        rows = []
        for _ in range(batch):
            row = []
            while len(row) < length:
                row += [BOS, *draw.integers(4, 20, int(draw.integers(1, 4, 1))).tolist(), EOS]
            rows.append(row[:length])
        return torch.tensor(rows), num_heads

    return make


EXPECTED = (
    "one mask for each example and head, all heads of an example side by side: a position sees its own sentence, from "
    "BOS up to itself"
)
task.require(
    "one example: no sentence sees another, EOS sees its own",
    EXPECTED,
    [Case("1 example of length 10, 1 head", packed(1, 10, 1))],
    [Case("one example, one head", packed(1, 14, 1))],
)
task.require(
    "all heads of an example stand side by side",
    EXPECTED,
    [Case("2 examples of length 9, 3 heads", packed(2, 9, 3))],
    [Case("more examples than heads", packed(4, 12, 2)), Case("as many examples as heads", packed(3, 7, 3)),
     Case("many heads", packed(2, 16, 8))],
)  # fmt: skip
