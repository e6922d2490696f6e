"""Task `fixed_packed_mask` of exercise 06: two bugs to find."""

import torch

from course_checks.cases import Case
from course_checks.masking.shared import READY_MADE, UNIT
from course_checks.task import Task
from transformer_course.common.tokens import BOS, EOS

task = Task("fixed_packed_mask", UNIT, READY_MADE)

_BORDER = "print the numbers of the sentences below the tokens of one row: to which sentence does its EOS belong?"
_OTHERS = "fix the two lines, leave the others as they are"
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


# fmt: off
task.edit("(tokens == BOS).cumsum(dim=1)", {
    "(tokens == EOS).cumsum(dim=1)": ("EOS still belongs to the sentence after it", _BORDER),
    "(tokens == BOS).cumsum(dim=1) - (tokens == BOS).int()": ("BOS belongs to the sentence before it", _BORDER),
    "(tokens == EOS).cumsum(dim=1).roll(1, dims=1)": ("the numbers are moved by one place, and what leaves at the end "
        "comes in again at the front: the first BOS gets the number of the last sentence", _BORDER),
    "((tokens == BOS) | (tokens == EOS)).cumsum(dim=1)": (
        "the borders count twice: between BOS and EOS a sentence changes its number", _BORDER),
    "torch.zeros_like(tokens)": ("sentences are no longer kept apart: each sees all that stands before it",
                                 "what should `same` say of two sentences?"),
})
task.edit("mask.repeat_interleave(num_heads, dim=0)", {
    "mask.repeat(num_heads, 1, 1)": ("the masks still come example by example, again and again: mask 1 is that of the "
        "second example, not of the second head of the first", _HEADS),
    "mask": ("the heads are left out", _HEADS, "there is one mask for each example, not for each head"),
})
task.edit("position[:, None] >= position", {
    "True": ("the future is no longer hidden", _OTHERS, "positions see later words of their sentence"),
    "position[:, None] > position": ("no position sees itself", _OTHERS, "the diagonal is hidden"),
})
# fmt: on


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
task.require("one example: no sentence sees another, EOS sees its own", EXPECTED,
             [Case("1 example of length 10, 1 head", packed(1, 10, 1))],
             [Case("one example, one head", packed(1, 14, 1))])  # fmt: skip
task.require("all heads of an example stand side by side", EXPECTED,
             [Case("2 examples of length 9, 3 heads", packed(2, 9, 3))],
             [Case("more examples than heads", packed(4, 12, 2)), Case("as many examples as heads", packed(3, 7, 3)),
              Case("many heads", packed(2, 16, 8))])  # fmt: skip
