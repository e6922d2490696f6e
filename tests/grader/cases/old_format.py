"""The notebook is of format 3."""

SCORE = 10.0
STATUS = "graded"


def edit(document):
    cells = document.pop("cells")
    for cell in cells:
        if cell["cell_type"] == "code":
            cell["input"], cell["language"], cell["collapsed"] = cell.pop("source"), "python", False
            cell["prompt_number"] = cell.pop("execution_count")
    document |= {"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": ""}}
    document["worksheets"] = [{"cells": cells, "metadata": {}}]
