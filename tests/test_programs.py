"""The solutions that the checks edit, and the edits."""

import ast
import json

import pytest
import torch
from exercise_harness import exercises
from notebooks import programs_of, programs_path, read, source_path

from course_checks.cases import Draw, drawn
from course_checks.programs import Edit, bare, edited, programs, right_cells, run
from course_checks.task import Task

PROGRAM = """\
def mean(x):
    total = x.sum(-1)
    for each in x:
        total = total + 0
    return total / x.shape[-1]
"""


def test_comments_docstrings_and_empty_lines_are_left_out():
    source = 'def f(x):\n    """Say.\n\n    More.\n    """\n    # why\n\n    return "# no comment"  # (batch)\n'
    assert bare(source) == 'def f(x):\n    return "# no comment"'


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("sum(-1)", "sum(-2)", "    total = x.sum(-2)"),
        ("total = x", "x = x.abs()\ntotal = x", "    x = x.abs()\n    total = x.sum(-1)"),
        ("for each in x:\n    total = total + 0", "if x.dim():\n    total = total * 2",
         "    if x.dim():\n        total = total * 2"),
        ("total = x.sum(-1)", "", "def mean(x):\n    for each in x:"),
        (" / x.shape[-1]", "", "    return total\n"),
    ],
)  # fmt: skip
def test_an_edit_keeps_the_indentation_of_its_place(old, new, line):
    assert line in edited(PROGRAM, [Edit(old, new)])


def test_all_places_of_one_edit_and_two_edits_at_once():
    everywhere = edited(PROGRAM, [Edit("x.s", "y.s", everywhere=True), Edit("mean(x)", "mean(y)")])
    assert "y.sum(-1)" in everywhere
    assert "y.shape[-1]" in everywhere
    assert "mean(y)" in everywhere
    assert edited(PROGRAM, [Edit("x.sum(-1)", "0"), Edit("sum(-1)", "mean(-1)")]) is None


@pytest.mark.parametrize(("old", "everywhere", "number"), [("total", False, 4), ("nowhere", False, 0),
                                                           ("x.sum(-1)", True, 1)])  # fmt: skip
def test_an_edit_that_does_not_apply_is_refused(old, everywhere, number):
    with pytest.raises(ValueError, match=f"found it {number} times"):
        edited(PROGRAM, [Edit(old, "x", everywhere)])


def test_a_task_refuses_an_edit_of_what_its_solution_does_not_hold():
    task = Task("softmax", "scaled_dot_product_attention")
    with pytest.raises(ValueError, match="found it 0 times"):
        task.edit("no such text", {"": ("a cause",)})


@pytest.mark.parametrize("exercise", exercises(), ids=lambda exercise: exercise.unit[:2])
def test_the_programs_are_those_of_the_solutions_and_run(exercise):
    kept = programs_path(exercise.unit).read_text(encoding="utf-8")
    assert kept == programs_of(read(source_path(exercise.unit)))
    for name, program in json.loads(kept).items():
        ast.parse(program)
        if name != "imports":
            assert callable(run(right_cells(exercise.slug), name, programs(exercise.slug)[name]))


def test_arguments_drawn_by_their_shapes():
    query, mask, tokens, nothing, size = drawn("2 3 4; mask: 3 5; 7: 2 6; None", 5, dtype=torch.float64)(Draw("x"))
    assert (query.shape, query.dtype) == ((2, 3, 4), torch.float64)
    assert (mask.shape, mask.dtype) == ((3, 5), torch.bool)
    assert tokens.shape == (2, 6)
    assert 0 <= tokens.min() <= tokens.max() <= 6
    assert (nothing, size) == (None, 5)
