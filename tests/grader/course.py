"""A small nbgrader course for the tests: two graded functions, a module, visible and hidden tests, a written answer."""

import json
from pathlib import Path

CONFIG = """
c = get_config()
c.CourseDirectory.course_id = "test"
c.ExecutePreprocessor.timeout = 4
c.CourseGrader.forbidden_modules = {"ps1": ["transformer_course.masking"]}
c.CourseGrader.reported_functions = {"ps1": {"double": ["torch.mul"], "*": ["torch.nn.Bilinear"]}}
c.CourseGrader.arguments_may_change = False
"""

IMPORTS = "import math\n\nimport torch\nfrom torch import nn"

DOUBLE = "def double(x):\n    ### BEGIN SOLUTION\n    return x + x\n    ### END SOLUTION"
TEST_DOUBLE = """assert double(2) == 4, "double(2): expected 4"
### BEGIN HIDDEN TESTS
for secret in (3, 5, 7.5):
    assert double(secret) == 2 * secret, f"double({secret}): expected twice the number"
x = torch.tensor([1.0, -3.5], requires_grad=True)
assert torch.equal(double(x), 2 * x)
assert torch.autograd.grad(double(x).sum(), x)[0].tolist() == [2.0, 2.0]
### END HIDDEN TESTS"""

MEAN = """def mean(values):
    ### BEGIN SOLUTION
    if len(values) == 0:
        raise ValueError("values: expected at least one number, got none")
    return sum(values) / len(values)
    ### END SOLUTION"""
TEST_MEAN = """assert mean([1.0, 2.0, 6.0]) == 3.0
### BEGIN HIDDEN TESTS
numbers = [4.5, -2.5, 1.0, 7.0, 2.5]
assert math.isclose(mean(numbers), 2.5)
assert numbers == [4.5, -2.5, 1.0, 7.0, 2.5]
try:
    mean([])
except ValueError as error:
    assert "values" in str(error)
else:
    raise AssertionError("mean([]): expected a ValueError")
### END HIDDEN TESTS"""

AFFINE = """class Affine(nn.Module):
    ### BEGIN SOLUTION
    def __init__(self, size):
        super().__init__()
        self.size = size
        self.weight = nn.Parameter(torch.ones(size))
        self.bias = nn.Parameter(torch.zeros(size))

    def forward(self, x):
        return self.weight * x + self.bias
    ### END SOLUTION"""
TEST_AFFINE = """layer = Affine(3)
assert layer.size == 3
assert torch.equal(layer(torch.ones(2, 3)), torch.ones(2, 3))
### BEGIN HIDDEN TESTS
layer.load_state_dict({"weight": torch.tensor([2.0, 3.0, 4.0]), "bias": torch.tensor([0.5, 0.0, -1.0])})
x = torch.tensor([[1.0, 10.0, 100.0]])
assert layer(x).tolist() == [[2.5, 30.0, 399.0]]
layer(x).sum().backward()
assert layer.weight.grad.tolist() == [1.0, 10.0, 100.0]
### END HIDDEN TESTS"""

WHY = "Why does the mean of nothing not exist?\n\n=== BEGIN MARK SCHEME ===\nDivision by zero.\n=== END MARK SCHEME ==="


def cell(kind: str, source: str, identifier: str = "", points: float = 0.0) -> dict:
    """Return a cell of a source notebook."""
    metadata = {}
    if kind != "plain":
        metadata["nbgrader"] = {
            "grade": kind in ("test", "manual"),
            "solution": kind in ("solution", "manual"),
            "locked": kind in ("test", "locked"),
            "task": False,
            "grade_id": identifier,
            "schema_version": 3,
        }
        if kind in ("test", "manual"):
            metadata["nbgrader"]["points"] = points
    form = {"id": identifier or "plain", "metadata": metadata, "source": source}
    if kind == "manual":
        return {"cell_type": "markdown", **form}
    return {"cell_type": "code", "execution_count": None, "outputs": [], **form}


def notebook(cells: list[dict]) -> dict:
    """Return a notebook document."""
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": kernel}, "cells": cells}


def source_notebook() -> dict:
    """Return the source of the one assignment, ``ps1``."""
    return notebook(
        [
            cell("locked", IMPORTS, "imports"),
            cell("solution", DOUBLE, "double"),
            cell("test", TEST_DOUBLE, "test-double", 2),
            cell("solution", MEAN, "mean"),
            cell("test", TEST_MEAN, "test-mean", 3),
            cell("solution", AFFINE, "affine"),
            cell("test", TEST_AFFINE, "test-affine", 5),
            cell("manual", WHY, "why", 2),
        ]
    )


def make_course(root: Path, config: str = CONFIG) -> Path:
    """Write the course folder."""
    (root / "source" / "ps1").mkdir(parents=True)
    (root / "nbgrader_config.py").write_text(config)
    (root / "source" / "ps1" / "ps1.ipynb").write_text(json.dumps(source_notebook()))
    return root


GOOD = {
    "double": "def double(x):\n    return 2 * x",
    "mean": 'def mean(values):\n    if not values:\n        raise ValueError("values: got none")\n'
    "    return sum(values) / len(values)",
    "affine": AFFINE,
    "why": "Because there is nothing to divide by.",
}


def submission(answers: dict[str, str] | None = None, extra: list[dict] = (), **changes: str) -> dict:
    """Return a submitted notebook: the good answers, with some of them changed."""
    answers = {**GOOD, **(answers or {}), **changes}
    document = source_notebook()
    for each in document["cells"]:
        identifier = each["id"]
        source = answers.get(identifier, each["source"])
        each["source"] = "\n".join(line for line in _visible(source))
    document["cells"][1:1] = list(extra)
    return document


def _visible(source: str):
    hidden = False
    for line in source.splitlines():
        hidden = hidden or "BEGIN HIDDEN" in line
        if not hidden and "### " not in line:
            yield line
        hidden = hidden and "END HIDDEN" not in line


def submit(root: Path, student: str, document: dict | str | None = None) -> Path:
    """Write a student's folder and return it."""
    folder = root / "submitted" / student / "ps1"
    folder.mkdir(parents=True, exist_ok=True)
    text = document if isinstance(document, str) else json.dumps(document or submission())
    (folder / "ps1.ipynb").write_text(text)
    return folder
