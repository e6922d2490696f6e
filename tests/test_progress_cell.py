"""The cell of each exercise that says how far one is: in a kernel, on a saved notebook, partly solved."""

import json
import shutil

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbclient import NotebookClient
from notebooks import ROOT, read, role_of, source_path, units

from course_checks import progress, progress_cell
from course_checks.progress_cell import show_progress
from transformer_course.common.units import UNITS

NAME = UNITS[3].name
RIGHT = 'predictions = {"1": "rises", "sqrt(d_k)": "stays", "d_k": "falls"}'
WRONG = "def attention_weights(query, key):\n    return torch.softmax(query @ key.mT / query.shape[-1], -1)\n"


@pytest.fixture(autouse=True)
def _new(monkeypatch):
    """No kernel before this one has measured anything, and no Jupyter says where its notebook is."""
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    progress_cell._known.clear()
    progress_cell._beside.clear()


@pytest.fixture
def notebook(tmp_path, monkeypatch):
    """The exercise of unit 04, with right predictions and a wrong function; its folder is the current one."""
    return write(tmp_path, monkeypatch)


def write(folder, monkeypatch=None):
    path = folder / NAME / f"{NAME}.ipynb"
    path.parent.mkdir()
    shutil.copy(ROOT / "exercises" / NAME / path.name, path)
    edit(path, predictions=RIGHT, attention_weights=WRONG)
    if monkeypatch:
        monkeypatch.chdir(path.parent)
    return path


def edit(path, **sources):
    content = json.loads(path.read_text("utf-8"))
    for cell in content["cells"]:
        cell["source"] = sources.get(cell["id"], cell["source"])
    path.write_text(json.dumps(content), "utf-8")


@pytest.mark.parametrize("unit", units())
def test_every_exercise_has_the_cell_below_its_imports(unit):
    cells = read(source_path(unit)).cells
    (place,) = [n for n, cell in enumerate(cells) if "show_progress()" in cell.source]
    assert (cells[place].id, role_of(cells[place]), cells[place - 1].id) == ("progress", "free", "imports")


@pytest.fixture(scope="module")
def outputs(tmp_path_factory):
    """What the cell shows: twice; after a function was run that is not saved; and while nbgrader runs it."""
    path = write(tmp_path_factory.mktemp("exercises"))
    own = next(cell.source for cell in read(source_path(NAME)).cells if cell.id == "progress")
    other = "import torch\n" + WRONG.replace("attention_weights", "softmax")
    under_nbgrader = f"import os\nos.environ['NBGRADER_EXECUTION'] = 'autograde'\n{own}"
    cells = [own, "from course_checks import progress\nprogress._run = None", own, other, own, under_nbgrader]
    document = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(each) for each in cells])
    NotebookClient(document, kernel_name="python3", resources={"metadata": {"path": str(path.parent)}}).execute()
    return [cell.outputs for cell in document.cells]


def test_it_shows_what_passes_the_points_and_the_next_task(outputs):
    (shown,) = outputs[0]
    lines = shown.data["text/plain"].splitlines()
    assert [line[:1] for line in lines[:8]] == [" ", "✓", "✗", *" " * 5]
    assert "not right, 0 of 12, the scores are divided by d_k" in lines[2]
    assert lines[-1] == (
        "4 of 57 points of the checks that you see; grading tries the same with other numbers. "
        "Next: task 1, `softmax` (15 minutes)."
    )
    assert "as it was saved just now" in lines[-2]
    page = BeautifulSoup(shown.data["text/html"], "html.parser")
    assert {tag.name for tag in page.find_all()} == {"table", "tr", "td", "div", "code"}
    assert len(page.find_all("tr")) == 8
    assert lines[-1].replace("`", "") in page.get_text()


def test_what_has_not_changed_is_not_run_again(outputs):
    assert outputs[2][0].data == outputs[0][0].data, "and there was nothing to run it with"


def test_what_was_run_and_not_saved_is_named(outputs):
    assert "As you ran it last, `softmax` is not in the file." in outputs[4][0].data["text/plain"]
    assert "attention_weights` is not" not in outputs[4][0].data["text/plain"]


def test_nothing_happens_while_nbgrader_runs_it(outputs):
    assert outputs[5] == []


def test_a_saved_change_is_measured_and_one_in_another_exercise_measures_all_again(notebook, capsys, monkeypatch):
    show_progress()
    asked = []
    real = progress._run
    monkeypatch.setattr(
        progress, "_run", lambda path, left_out, *rest: asked.append(left_out) or real(path, left_out, *rest)
    )
    edit(notebook, attention_weights=WRONG.replace("shape[-1]", "shape[-1] ** 0.5"))
    show_progress()
    assert "not right, 10 of 12" in capsys.readouterr().out, "wrong input is not refused"
    assert {"test-predictions", "test-softmax"} <= asked[0]
    assert "test-attention_weights" not in asked[0]
    other = notebook.parents[1] / UNITS[4].name / f"{UNITS[4].name}.ipynb"
    other.parent.mkdir()
    shutil.copy(ROOT / "exercises" / other.parent.name / other.name, other)
    show_progress()
    assert "test-predictions" not in asked[1], "a notebook may build on what stands in another"


def test_jupyter_and_vs_code_say_which_notebook_it_is(notebook, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    show_progress()
    assert f"no exercise is in {tmp_path}" in capsys.readouterr().out
    monkeypatch.setenv("JPY_SESSION_NAME", str(notebook))
    show_progress()
    assert "Next: task 1" in capsys.readouterr().out
    monkeypatch.setenv("JPY_SESSION_NAME", "renamed.ipynb")
    shell = type("Shell", (), {"user_ns": {"__vsc_ipynb_file__": str(notebook)}, "history_manager": None})
    monkeypatch.setattr(progress_cell, "ipython", lambda: shell)
    show_progress()
    assert "Next: task 1" in capsys.readouterr().out


def test_two_exercises_in_a_folder_must_be_told_apart(notebook, capsys):
    copy = notebook.with_name("a copy.ipynb")
    shutil.copy(notebook, copy)
    notebook.with_name("notes.ipynb").write_text('{"cells": []}', "utf-8")
    show_progress()
    assert "2 exercises are in" in capsys.readouterr().out
    show_progress(copy)
    assert "Next: task 1" in capsys.readouterr().out
    copy.write_text("{", "utf-8")
    show_progress(copy)
    assert "cannot be read" in capsys.readouterr().out
