"""The notebook is of format 3, and not quite as that should be: no outputs, a heading in pieces, no number."""

SCORE = 10.0
STATUS = "graded"


def edit(document):
    cells = document.pop("cells")
    for cell in cells:
        if cell["cell_type"] == "code":
            cell["input"], cell["language"], cell["collapsed"] = cell.pop("source"), "python", False
            cell["prompt_number"] = cell.pop("execution_count")
            del cell["outputs"]
    cells.insert(0, {"cell_type": "heading", "level": 1, "source": ["A ", "title"]})
    del document["nbformat"]
    document |= {"metadata": {"name": ""}, "worksheets": [{"cells": cells, "metadata": {}}]}
