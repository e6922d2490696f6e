"""`make progress`: what it says of notebooks that are untouched, right, wrong, endless, broken and missing."""

import json
import re
import shutil

import pytest
from notebooks import ROOT

from course_checks import progress
from course_checks.progress import DONE, NOT_RIGHT, SLOW, TO_DO, WRITTEN, CannotRead, trial
from course_checks.progress import command as progress_command
from transformer_course.common.units import UNITS

UNIT = UNITS[3]
NAME = f"{UNIT.name}/{UNIT.name}.ipynb"
RIGHT = "def softmax(scores):\n    return torch.softmax(scores, -1)\n"
WRONG = "def attention_weights(query, key):\n    return torch.softmax(query @ key.mT / query.shape[-1], -1)\n"
ENDLESS = "def mean_largest_weight(d_k, divisor):\n    while True:\n        pass\n"


@pytest.fixture
def folder(tmp_path):
    """A folder with the exercise of unit 04, as a learner gets it."""
    path = tmp_path / "exercises" / NAME
    path.parent.mkdir(parents=True)
    shutil.copy(ROOT / "exercises" / NAME, path)
    return tmp_path / "exercises"


def write(folder, **sources):
    """Put sources into cells, by their grade_id."""
    path = folder / NAME
    notebook = json.loads(path.read_text("utf-8"))
    for cell in notebook["cells"]:
        name = cell["metadata"].get("nbgrader", {}).get("grade_id", "").replace("-", "_")
        cell["source"] = sources.get(name, cell["source"])
    path.write_text(json.dumps(notebook), "utf-8")
    return path


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_each_task_has_the_points_of_the_table(unit):
    rows = progress.read(ROOT / "exercises" / unit.name / f"{unit.name}.ipynb")
    for row in rows:
        assert sum(row.tests.values()) + row.hidden + row.by_hand == pytest.approx(row.points), row.title
    assert sum(row.points for row in rows) == 100


def test_an_untouched_notebook_is_to_do_and_nothing_is_run(folder, monkeypatch, capsys):
    monkeypatch.setattr(progress, "_run", lambda *_: pytest.fail("nothing is to be run"))
    assert {row.state for row in progress.measure(folder / NAME)} == {TO_DO}
    assert progress_command.main(["4", "--folder", str(folder)]) == 0
    assert re.search(r"^next: unit 04 .*, task 1: `softmax` \(15 minutes\)$", capsys.readouterr().out, re.MULTILINE)


def test_right_wrong_endless_and_written_answers_are_told_apart(folder):
    answer = "## 7 · In your own words\n\n*This answer is read by a person.*\n\nThe variance of a sum grows."
    path = write(
        folder,
        softmax=RIGHT.replace("torch.softmax", "_own").replace("def", "def _own(x, d):\n    x = x - x.amax(d, True)\n"
                                                               "    return x.exp() / x.exp().sum(d, True)\n\ndef"),
        attention_weights=WRONG, mean_largest_weight=ENDLESS, fixed_attention="def fixed_attention(:\n",
        predictions='predictions = {"1": "rises", "sqrt(d_k)": "stays", "d_k": "falls"}', written_scale=answer,
    )  # fmt: skip
    rows = progress.measure(path, seconds=12)
    states = [row.state for row in rows]
    assert states == [NOT_RIGHT, DONE, NOT_RIGHT, SLOW, TO_DO, NOT_RIGHT, WRITTEN, TO_DO]
    assert rows[0].earned == 10, "the usual sizes are right; a row of nothing but -inf is not"
    assert "sqrt(d_k)" in rows[2].said
    assert "12 seconds" in rows[3].said
    assert "SyntaxError" in rows[5].said
    assert rows[1].earned == 4, "the prediction and its measurement, which stands in the endless task"
    assert progress.next_task(rows).number == 1


def test_a_process_that_ends_costs_its_task_alone(folder):
    path = write(folder, softmax="import os\ndef softmax(scores):\n    os._exit(3)\n",
                 predictions='predictions = {"1": "rises", "sqrt(d_k)": "rises", "d_k": "rises"}')  # fmt: skip
    rows = progress.measure(path)
    assert (rows[0].state, rows[0].earned) == (NOT_RIGHT, 0)
    assert "process" in rows[0].said
    assert (rows[1].state, rows[1].earned) == (NOT_RIGHT, 1), "a guess that the measurement does not bear out"


@pytest.mark.parametrize(
    ("text", "said"), [(None, "no notebook"), ("{", "cannot be read"), ('{"cells": []}', "lost its table")]
)
def test_a_missing_or_broken_notebook_is_named_and_the_others_are_shown(folder, capsys, text, said):
    other = folder / UNITS[4].name / f"{UNITS[4].name}.ipynb"
    other.parent.mkdir()
    if text is not None:
        other.write_text(text, "utf-8")
    with pytest.raises(CannotRead, match=said):
        progress.read(other)
    assert progress_command.main(["04", "05", "--folder", str(folder)]) == 2
    printed = capsys.readouterr().out
    assert said in printed
    assert "`softmax`" in printed


def test_deleted_checks_are_counted_as_missing(folder):
    path = folder / NAME
    notebook = json.loads(path.read_text("utf-8"))
    notebook["cells"] = [cell for cell in notebook["cells"]
                         if cell["metadata"].get("nbgrader", {}).get("grade_id") != "test-softmax"]  # fmt: skip
    path.write_text(json.dumps(notebook), "utf-8")
    assert "Cells worth 10 points are missing" in "\n".join(progress_command.lines(UNIT, progress.read(path)))


def test_only_the_cells_that_a_check_needs_are_run(folder):
    path = write(folder, softmax="CONSTANT = 1\n" + RIGHT, attention_weights=WRONG.replace("torch.softmax", "softmax"))
    cells = trial.read_cells(path)
    test = next(cell for cell in cells if cell.id == "test-attention_weights")
    assert [cell.id for cell in trial.needed_for(test, cells)] == ["imports", "softmax", "attention_weights"]


def test_a_forge_can_ask_for_one_task(folder, capsys):
    write(folder, predictions='predictions = {"1": "rises", "sqrt(d_k)": "stays", "d_k": "falls"}')
    codes = [progress_command.main(["04", "--task", str(number), "--folder", str(folder)]) for number in (1, 2, 9)]
    assert codes == [1, 0, 1]
    assert "task 2: predict, before you run: done" in capsys.readouterr().out


def test_a_unit_that_is_not_there_is_refused(capsys):
    with pytest.raises(SystemExit):
        progress_command.main(["19"])
    assert "01 to 18" in capsys.readouterr().err


def test_solved_units_are_ticks_for_the_map_where_the_book_is_built(folder, capsys, monkeypatch, tmp_path):
    solved = progress.Row(1, "all of it", "5", 10.0, {"test-it": 10.0}, state=DONE, earned=10.0)
    to_do = progress.Row(1, "all of it", "5", 10.0, {"test-it": 10.0})
    monkeypatch.setattr(progress_command, "measure", lambda path: [to_do if path.parent.name == UNIT.name else solved])
    monkeypatch.chdir(tmp_path)
    assert progress_command.main(["04", "05", "12", "--folder", str(folder)]) == 0
    assert "#solved" not in capsys.readouterr().out
    page = tmp_path / "_build" / "html" / "book" / "index.html"
    page.parent.mkdir(parents=True)
    page.touch()
    assert progress_command.main(["04", "05", "12", "--folder", str(folder)]) == 0
    assert capsys.readouterr().out.splitlines()[-1].endswith(f" {page.as_uri()}#solved=05,12")
