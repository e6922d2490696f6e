"""The line that a check blames where no known mistake fits: the right one, or none."""

import ast
import linecache

import pytest
import torch

from course_checks import scaled_dot_product_attention, vision_transformer
from course_checks.cases import Case
from course_checks.repair import Repair, told
from course_checks.repair.trees import along
from course_checks.task import Task
from course_checks.words import CheckFailed

RIGHT = """
def weighted(query, key, value):
    scores = query @ key.transpose(-2, -1)
    scaled = scores / query.shape[-1] ** 0.5
    weights = scaled.softmax(dim=-1)
    return weights @ value
"""


def _torch(query, key, value):
    return torch.nn.functional.scaled_dot_product_attention(query, key, value)


def _task() -> Task:
    """Make a task that knows no mistake."""
    task = Task("weighted", "scaled_dot_product_attention")
    task.oracle(_torch)
    drawn = [lambda draw, n=n: (draw(2, n, 4), draw(2, 5, 4), draw(2, 5, 3)) for n in (3, 6)]
    task.require("attention", "the weighted mean", [Case(f"case {n}", make) for n, make in enumerate(drawn)])
    return task


def _message(source: str, cell: str, task: Task | None = None) -> str:
    """Define a function as a cell of a notebook does, so that its source can be found, and check it."""
    task = task or _task()
    linecache.cache[cell] = (len(source), None, source.splitlines(keepends=True), cell)
    names = {"torch": torch}
    exec(compile(source, cell, "exec"), names)
    with pytest.raises(CheckFailed) as failed:
        task.check(names[task.name])
    return str(failed.value)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("scaled.softmax(dim=-1)", "scaled.softmax(dim=-2)"),
        ("scores / query", "scores * query"),
        ("** 0.5", "** 2"),
        ("query.shape[-1]", "query.shape[-2]"),
        ("weights @ value", "scaled @ value"),
        ("query @ key.transpose(-2, -1)", "key @ query.transpose(-2, -1)"),
    ],
)
def test_the_line_that_was_changed_is_named_and_the_right_one_is_not_shown(right, wrong):
    said = _message(RIGHT.replace(right, wrong), f"<cell {wrong}>")
    (line,) = [line.strip() for line in RIGHT.replace(right, wrong).splitlines() if wrong in line]
    (fixed,) = [line.strip() for line in RIGHT.splitlines() if right in line]
    assert line in said.replace("\n", " ").replace("                  ", " ")
    assert fixed not in said
    assert "?" in said


def test_nothing_is_blamed_where_more_than_one_change_is_needed():
    source = RIGHT.replace("dim=-1", "dim=-2").replace("** 0.5", "** 3").replace("weights @ value", "value")
    assert "one small change" not in _message(source, "<cell with three>")


def test_a_right_answer_is_not_searched(monkeypatch):
    monkeypatch.setattr("course_checks.diagnose.repair", lambda *_: pytest.fail("a search for nothing"))
    _task().check(_torch)


def _repair(line, adds=False, mends=3, kind="dim") -> Repair:
    return Repair(line, f"line {line}", "Why?", adds, kind, mends)


def test_more_than_two_lines_say_nothing():
    assert told([_repair(1), _repair(2), _repair(3)]) == (None, False)
    assert "`line 1` or in `line 2`" in told([_repair(1), _repair(2)])[0].cause


def test_a_change_that_is_right_in_the_hidden_cases_goes_before_others():
    assert told([_repair(1, mends=2), _repair(2)])[0].cause.count("line") == 2  # "in the line `line 2`"


@pytest.mark.parametrize("mends", [1, 2])  # a requirement, or all visible cases and not the hidden ones
def test_a_change_that_does_not_mend_all_says_so(mends):
    line, mends_all = told([_repair(1, mends=mends)])
    assert "not yet all the rest" in line.cause
    assert not mends_all


def test_the_numbers_of_pythons_own_maximum_are_no_dimensions():
    calls = ("max(n, 0)", "sum(parts, 1)", "x.max(0)", "softmax(x, 0)")
    assert [along(ast.parse(call, mode="eval").body) for call in calls] == ["", "", "max", "softmax"]


def test_of_what_is_missing_the_first_place_is_told_and_that_it_may_be_further_down():
    cause = told([_repair(5, adds=True), _repair(4, adds=True), _repair(6, adds=True)])[0].cause
    assert "from the line `line 4` on" in cause
    assert "`line 5`" not in cause
    assert "in the line `line 4`" in told([_repair(4, adds=True)])[0].cause


def test_a_line_of_the_right_program_is_not_blamed():
    """Exchanged sizes in the first line would make all right, and its names wrong."""
    source = """
def patches_to_image(patches, channels, height, width, patch):
    num_rows, num_columns = height // patch, width // patch
    images = patches.new_zeros(len(patches), channels, height, width)
    for n in range(patches.shape[1]):
        row, column = n // num_rows, n % num_rows
        square = patches[:, n].reshape(-1, channels, patch, patch)
        images[:, :, row * patch : (row + 1) * patch, column * patch : (column + 1) * patch] = square
    return images
"""
    said = _message(source, "<patches>", vision_transformer.patches_to_image)
    assert "`row, column = n // num_rows, n % num_rows`" in said
    assert "num_columns" not in said


def test_of_two_mistakes_that_nobody_listed_the_first_is_found():
    """Without a mask only the missing root is wrong, and the message says that more is wrong elsewhere."""
    source = """
def fixed_attention(query, key, value, mask=None):
    scores = query @ key.transpose(-2, -1)
    scores = scores / query.shape[-1]
    if mask is not None:
        scores = scores.masked_fill(~mask, 0.5)
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights
"""
    said = _message(source, "<two>", scaled_dot_product_attention.fixed_attention)
    assert "`scores = scores / query.shape[-1]` makes this right, though not" in said


OWN_SOFTMAX = """
def softmax(scores):
    powers = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return powers / powers.sum(dim=DIMENSION, keepdim=True)
"""
OWN_ATTENTION = """
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = query @ key.mT / query.shape[-1] ** POWER
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = softmax(scores)
    return weights @ value, weights
"""


def test_a_mistake_in_an_answer_that_this_one_calls_is_looked_for_there():
    task = scaled_dot_product_attention.scaled_dot_product_attention
    attention = OWN_ATTENTION.replace("POWER", "0.5")
    said = _message(OWN_SOFTMAX.replace("DIMENSION", "-2") + attention, "<cell own softmax>", task)
    assert "the mistake is in your `softmax`" in said
    assert "run the check of `softmax` first" in said
    assert "numbers are not right" in said


def test_another_answer_is_not_blamed_where_the_mistake_is_here_or_in_both():
    task = scaled_dot_product_attention.scaled_dot_product_attention
    attention = OWN_ATTENTION.replace("POWER", "1")
    for dimension in ("-1", "-2"):
        program = OWN_SOFTMAX.replace("DIMENSION", dimension) + attention
        assert "in your `softmax`" not in _message(program, f"<cell {dimension}>", task)
