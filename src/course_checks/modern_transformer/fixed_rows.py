"""Task `fixed_rows` of exercise 18: two bugs to find."""

import torch

from course_checks.cases import Case
from course_checks.modern_transformer.shared import UNIT
from course_checks.task import Task
from course_checks.words import Wrong

task = Task("fixed_rows", UNIT)
_ONE = "take one head of 6 rows, torch.arange(6): row 3, the first of the second half, must become row 1"
_TWO = "take two heads of 4 rows, torch.arange(8): from where do the rows of the second head come?"


@task.oracle
def right(rows, num_heads):
    """Deal out the two halves of each head in turn."""
    found = []
    for head in rows.chunk(num_heads):
        first, second = head.chunk(2)
        found += [row for pair in zip(first, second, strict=True) for row in pair]
    return torch.stack(found)


@task.pipeline(
    direction={
        "back": Wrong("the rows still go the other way: from pairs to halves", "with d_k = 4 both ways are the same",
                      _ONE),
        "second first": Wrong("the second half is dealt out first: rows 2i and 2i + 1 are exchanged", "", _ONE),
        "backwards": Wrong("the second half is counted backwards from its first row", "", _ONE),
        "reversed": Wrong("the second half is dealt out from its end", "", _ONE),
    },
    heads={
        "first": Wrong("every head still gets the rows of the first one", "", _TWO),
        "one": Wrong("all rows are sorted as if they were one head", "", _TWO),
    },
)  # fmt: skip
def fixed_rows(rows, num_heads, *, direction="to pairs", heads="each"):
    """Fix with one choice for each line."""
    number = 1 if heads == "one" else num_heads
    d_k, result = len(rows) // number, torch.empty_like(rows)
    for head in range(number):
        to, start = head * d_k, 0 if heads == "first" else head * d_k
        for i in range(d_k // 2):
            other = {"reversed": d_k - 1 - i, "backwards": d_k // 2 - i}.get(direction, d_k // 2 + i)
            if direction == "back":
                result[to + i], result[to + other] = rows[start + 2 * i], rows[start + 2 * i + 1]
            else:
                pair = (other, i) if direction == "second first" else (i, other)
                result[to + 2 * i], result[to + 2 * i + 1] = rows[start + pair[0]], rows[start + pair[1]]
    return result


def counted(num_heads, d_k):
    """Number the rows."""
    return lambda draw: (torch.arange(num_heads * d_k), num_heads)


def drawn(num_heads, d_k, d_model):
    """Draw a projection."""
    return lambda draw: (draw(num_heads * d_k, d_model), num_heads)


EXPECTED = "in each head, rows i and i + d_k / 2 become rows 2i and 2i + 1"
task.require(
    "halves become pairs",
    EXPECTED,
    [Case("one head of 6 rows", counted(1, 6)), Case("one head of 8 rows, 3 columns", drawn(1, 8, 3))],
    [Case("one head of 10 rows", counted(1, 10))],
    _ONE,
)
task.require(
    "each head keeps its own rows",
    EXPECTED,
    [Case("2 heads of 4 rows", counted(2, 4)), Case("3 heads of 6 rows, 5 columns", drawn(3, 6, 5))],
    [Case("4 heads of 2 rows", counted(4, 2)), Case("2 heads of 12 rows", drawn(2, 12, 3))],
    _TWO,
)
