"""Task `row_column_positions` of exercise 15."""

import torch

from course_checks.cases import Case, gradients, refusal
from course_checks.task import Task
from course_checks.vision_transformer.shared import PLACES, UNIT, right_places

task = Task("row_column_positions", UNIT)
task.oracle(right_places)
_SUM = "which operation joins the vector of the row and the vector of the column?"


# fmt: off
task.edit("(rows[:, None] + columns[None]).flatten(end_dim=1)", PLACES | {
    "(rows[:, None] * columns[None]).flatten(end_dim=1)": ("the two vectors are multiplied, not added", _SUM),
    "(rows[:, None] / 2 + columns[None] / 2).flatten(end_dim=1)": (
        "the two vectors are averaged, not added", _SUM, "every number is half of what it should be"),
    "(rows[:, None] + 0 * columns[None]).flatten(end_dim=1)": (
        "the vector of the column is not added", _SUM, "all places of a row are alike"),
    "(0 * rows[:, None] + columns[None]).flatten(end_dim=1)": (
        "the vector of the row is not added", _SUM, "all places of a column are alike"),
    "torch.stack([torch.cat([row, column]) for row in rows for column in columns])": (
        "the two vectors are written side by side, not added", _SUM, "each vector is twice as long"),
    "torch.stack([torch.cat([row[:len(row) // 2], column[len(row) // 2:]]) for row in rows for column in columns])": (
        "half of the numbers are those of the row, the others those of the column, where both are added", _SUM),
    "rows.repeat_interleave(len(rows), dim=0) + columns.repeat(len(columns), 1)": (
        "each row is repeated as often as there are rows, and each column as often as there are columns",
        "in a grid of 2 x 3 places: in how many of them does row 0 stand, and in how many column 0?"),
    "rows[:, None] + columns[None]": (
        "the grid is not flattened", "the task asks for one row of the result for each place"),
})
# fmt: on


def vectors(num_rows, num_columns, d_model, dtype=torch.float64):
    """Draw a vector for each row and column."""
    return lambda draw: (draw(num_rows, d_model, dtype=dtype), draw(num_columns, d_model, dtype=dtype))


task.require(
    "each place has the sum of its row and its column, row by row",
    "the vector of place (i, j) is rows[i] + columns[j], and place (0, 1) comes right after (0, 0)",
    [Case("2 rows, 3 columns", vectors(2, 3, 4)), Case("3 rows, 3 columns", vectors(3, 3, 2)),
     Case("the gradient", vectors(4, 2, 3), gradients())],
    [Case("5 rows, 2 columns", vectors(5, 2, 3)), Case("as many rows and columns as numbers", vectors(4, 4, 4)),
     Case("float32", vectors(3, 6, 5, torch.float32))],
)  # fmt: skip
task.limits(
    "one row, one column, and wrong input",
    [
        Case("one row", vectors(1, 4, 3)),
        Case("one column", vectors(4, 1, 3)),
        refusal("other widths", (torch.ones(2, 3), torch.ones(2, 4)), "columns"),
        refusal("three dimensions", (torch.ones(1, 2, 3), torch.ones(2, 3)), "rows"),
    ],
)
