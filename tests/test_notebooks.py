"""The form of the notebooks, and the tool that keeps it."""

import nbformat
import notebooks
import pytest
from notebooks import ROLES, NotebookError, from_text, normalised, role_of, to_text, units, written_out

UNITS = units()

TEXT = """\
# %% [markdown] grade_id="title" role="locked"
# # A title

# %% grade_id="double" role="solution"
def double(x):
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION

# %% grade_id="test-double" role="test" points=3
assert double(2) == 4
### BEGIN HIDDEN TESTS
assert double(-7) == -14
### END HIDDEN TESTS
"""


@pytest.fixture
def course(tmp_path):
    """A course folder of its own, with one small unit."""
    (tmp_path / "nbgrader_config.py").write_text((notebooks.ROOT / "nbgrader_config.py").read_text())
    source = notebooks.source_path("01_small", tmp_path)
    source.parent.mkdir(parents=True)
    source.write_text(written_out(from_text(TEXT, "01_small")))
    return tmp_path


def test_the_repository_is_in_form_and_exercises_are_what_solutions_make():
    assert notebooks.problems() == []


@pytest.mark.parametrize("unit", UNITS)
def test_text_and_back_is_the_same_notebook(unit):
    source = notebooks.source_path(unit).read_text(encoding="utf-8")
    assert written_out(from_text(to_text(notebooks.read(notebooks.source_path(unit))), unit)) == source


@pytest.mark.parametrize("unit", UNITS)
def test_a_graded_cell_follows_a_cell_that_is_graded_or_solved(unit):
    # nbgrader puts a deleted graded cell back after the one before it, which must be one that it can find.
    cells = notebooks.read(notebooks.source_path(unit)).cells
    for before, cell in zip(cells, cells[1:], strict=False):
        if role_of(cell) in ("test", "written") and role_of(before) in ("locked", "free"):
            pytest.fail(f"{unit}, {cell.id}: expected a test, written or solution cell before it, got {before.id}")
    assert role_of(cells[0]) == "locked"


@pytest.mark.parametrize("unit", UNITS)
def test_a_notebook_computes_with_one_thread(unit):
    # With two, the training of exercise 10 took four times as long on a busy machine.
    cell = next(cell for cell in notebooks.read(notebooks.exercise_path(unit)).cells if cell.id == "imports")
    assert "torch.set_num_threads(1)" in cell.source


def test_the_source_says_what_text_says():
    notebook = from_text(TEXT, "01_small")
    assert [role_of(cell) for cell in notebook.cells] == ["locked", "solution", "test"]
    assert [cell.id for cell in notebook.cells] == ["title", "double", "test-double"]
    assert notebook.cells[2].metadata.nbgrader.points == 3


@pytest.mark.parametrize("role", ROLES)
def test_a_role_is_read_back_from_its_flags(role):
    assert role_of(nbformat.NotebookNode(metadata={"nbgrader": ROLES[role]})) == role


def test_nbgrader_knows_nothing_of_a_free_cell():
    # It would stop at the first deleted test cell of any student otherwise.
    notebook = from_text(TEXT + '\n# %% grade_id="play" role="free"\n1\n', "01_small")
    assert notebook.cells[-1].metadata == {}
    assert notebook.cells[-1].id == "play"


def test_normalising_drops_outputs_counts_and_foreign_metadata():
    notebook = from_text(TEXT, "01_small")
    wanted = written_out(notebook)
    notebook.metadata["language_info"] = {"name": "python"}
    notebook.cells[1].update(execution_count=4, outputs=[nbformat.v4.new_output("stream", text="42")], id="other")
    notebook.cells[1].metadata["collapsed"] = True
    notebook.cells[1].source += "\n\n"
    assert written_out(normalised(notebook, "01_small")) == wanted


def test_two_cells_with_one_grade_id_are_refused():
    with pytest.raises(NotebookError, match="a grade_id of its own for every cell, got 'double' again"):
        from_text(TEXT + '\n# %% grade_id="double" role="free"\n1\n', "01_small")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (' role="test" points=3', ' role="test"', "expected points for a test cell"),
        ('role="test"', 'role="exam"', "a role of locked, free, solution, test, written"),
        ('grade_id="double" ', "", "cell 2: expected grade_id"),
    ],
)
def test_text_out_of_form_is_refused(old, new, message):
    with pytest.raises(NotebookError, match=message):
        from_text(TEXT.replace(old, new), "01_small")


def test_release_cuts_solutions_and_hidden_tests_and_is_reproducible(course):
    for into in ("once", "twice"):
        notebooks.release(["01_small"], course / into, course)
    once, twice = ((course / into / "01_small" / "01_small.ipynb").read_bytes() for into in ("once", "twice"))
    assert once == twice
    text = once.decode()
    assert "2 * x" not in text
    assert "-14" not in text
    assert "raise NotImplementedError" in text
    assert "double(2) == 4" in text


def test_problems_name_what_is_out_of_date(course):
    assert notebooks.problems(course) == ["exercises/01_small: not what solutions/ makes; run `make exercises`"]
    notebooks.release(["01_small"], course / "exercises", course)
    assert notebooks.problems(course) == []
    (course / "exercises" / "01_small" / "answers.txt").write_text("42")
    assert notebooks.problems(course) == [
        "exercises/01_small/answers.txt: no source in solutions/ makes this file; remove it"
    ]
    source = notebooks.source_path("01_small", course)
    source.write_text(source.read_text().replace('"execution_count": null', '"execution_count": 7'))
    assert notebooks.problems(course) == ["solutions/01_small: not in form; run `python tools/notebooks.py normalise`"]
