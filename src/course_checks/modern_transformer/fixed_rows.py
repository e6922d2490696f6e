"""Task `fixed_rows` of exercise 18: two bugs to find."""

import torch

from course_checks.cases import Case, drawn
from course_checks.modern_transformer.shared import UNIT
from course_checks.task import Task

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


# fmt: off
task.edit("result[start + 2 * i] = rows[start + i]\nresult[start + 2 * i + 1] = rows[start + d_k // 2 + i]", {
    "result[start + i] = rows[start + 2 * i]\nresult[start + d_k // 2 + i] = rows[start + 2 * i + 1]": (
        "the rows still go the other way: from pairs to halves", _ONE, "with d_k = 4 both ways are the same"),
    "result[start + 2 * i + 1] = rows[start + i]\nresult[start + 2 * i] = rows[start + d_k // 2 + i]": (
        "the second half is dealt out first: rows 2i and 2i + 1 are exchanged", _ONE)})
task.edit("d_k // 2 + i]", {
    "num_heads // 2 + i]": (
        "the second half is looked for `num_heads // 2` rows behind the first, which is no half of a head", _ONE),
    "d_k // 2 - i]": ("the second half is counted backwards from its first row", _ONE),
    "d_k - 1 - i]": ("the second half is dealt out from its end", _ONE)})
task.edit_places({"rows[start + i]": "rows[i]", "rows[start + d_k": "rows[d_k"},
                 "every head still gets the rows of the first one", _TWO)
task.edit("d_k = len(rows) // num_heads", {
    "d_k, num_heads = len(rows), 1": ("all rows are sorted as if they were one head", _TWO)})
# fmt: on

EXPECTED = "in each head, rows i and i + d_k / 2 become rows 2i and 2i + 1"
task.require(
    "halves become pairs",
    EXPECTED,
    [Case("one head of 6 rows", lambda draw: (torch.arange(6), 1)),
     Case("one head of 8 rows, 3 columns", drawn("8 3", 1))],
    [Case("one head of 10 rows", (torch.arange(10), 1))],
    _ONE,
)  # fmt: skip
task.require(
    "each head keeps its own rows",
    EXPECTED,
    [Case("2 heads of 4 rows", (torch.arange(8), 2)), Case("3 heads of 6 rows, 5 columns", drawn("18 5", 3))],
    [Case("4 heads of 2 rows", (torch.arange(8), 4)), Case("2 heads of 12 rows", drawn("24 3", 2))],
    _TWO,
)
