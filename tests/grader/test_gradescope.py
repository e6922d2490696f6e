"""The zip for Gradescope, unpacked and run in the layout of its documentation."""

import json
import os
import shutil
import subprocess
import sys
import zipfile

import pytest
from notebooks import ROOT

from course_grader import cli
from course_grader.gradescope import _SETUP, write_zip
from course_grader.settings import Course

UNIT = "06_masking"
WRONG = "def causal_mask(length):\n    return torch.ones(length, length, dtype=torch.bool)\n"


@pytest.fixture(scope="module")
def autograder(tmp_path_factory):
    """A folder as `/autograder` is after Gradescope unpacked the zip, with the course installed from it."""
    folder = tmp_path_factory.mktemp("gradescope") / "autograder"
    assert cli.main(["--course", str(ROOT), "gradescope", UNIT, "-o", str(folder.parent / "made.zip")]) == 0
    with zipfile.ZipFile(folder.parent / "made.zip") as archive:
        archive.extractall(folder / "source")
        assert archive.getinfo("run_autograder").external_attr >> 16 == 0o100755
    shutil.copy(folder / "source" / "run_autograder", folder)
    for name in ("submission", "results"):
        (folder / name).mkdir()
    course = folder / "source" / "course"
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--target",
               folder / "installed", "."]  # fmt: skip
    subprocess.run(command, cwd=course, check=True, capture_output=True)
    return folder


def run(folder, notebook: dict | str | None, name=f"{UNIT}.ipynb") -> dict:
    """Hand in, run the autograder, and return its results."""
    shutil.rmtree(folder / "submission")
    (folder / "submission").mkdir()
    if notebook is not None:
        text = notebook if isinstance(notebook, str) else json.dumps(notebook)
        (folder / "submission" / name).write_text(text, "utf-8")
    (folder / "results" / "results.json").unlink(missing_ok=True)
    environment = {**os.environ, "AUTOGRADER": str(folder), "COURSE_PYTHON": sys.executable,
                   "PYTHONPATH": str(folder / "installed")}  # fmt: skip
    done = subprocess.run(["bash", folder / "run_autograder"], cwd=folder, env=environment, capture_output=True,
                          text=True, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads((folder / "results" / "results.json").read_text("utf-8"))


def solved() -> dict:
    return json.loads((ROOT / "solutions" / UNIT / f"{UNIT}.ipynb").read_text("utf-8"))


def points() -> float:
    cells = [cell["metadata"].get("nbgrader", {}) for cell in solved()["cells"] if cell["cell_type"] == "code"]
    return sum(each.get("points", 0) for each in cells if each.get("grade"))


def test_a_solved_notebook_gets_all_points_of_its_tests_under_any_name(autograder):
    found = run(autograder, solved(), "my answers.ipynb")
    assert found["score"] == sum(each["max_score"] for each in found["tests"]) == points()
    assert {each["status"] for each in found["tests"]} == {"passed"}
    assert f"{100 - points():g} more points are given by a person" in found["output"]


def test_a_wrong_answer_is_told_its_cause_and_no_hidden_test(autograder):
    notebook = solved()
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == "causal_mask":
            cell["source"] = WRONG
    found = {each["name"]: each for each in run(autograder, notebook)["tests"]}
    seen, hidden = found["causal_mask (test-causal_mask)"], found["causal_mask (test-causal_mask-hidden)"]
    assert (seen["score"], seen["status"], hidden["score"]) == (0, "failed", 0)
    assert "likely cause" in seen["output"]
    assert "other sizes and numbers" in hidden["output"]
    assert "observed" not in hidden["output"]
    assert found["padding_mask (test-padding_mask)"]["status"] == "passed"


@pytest.mark.parametrize(("notebook", "said"), [(None, "The folder is empty"), ("{", "06_masking.ipynb")])
def test_nothing_and_no_notebook_get_a_sentence(autograder, notebook, said):
    found = run(autograder, notebook)
    assert found["score"] == 0
    assert said in found["output"]


def test_the_zip_holds_one_unit_and_no_other_answers(autograder):
    course = autograder / "source" / "course"
    assert [path.name for path in (course / "solutions").iterdir()] == [UNIT]
    assert not list(course.rglob("*.pyc"))
    assert (course / "requirements.lock").is_file()


def test_the_scripts_are_right_for_bash(tmp_path):
    (tmp_path / "setup.sh").write_text(_SETUP)
    assert subprocess.run(["bash", "-n", tmp_path / "setup.sh"], check=False).returncode == 0


def test_a_course_that_cannot_be_installed_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"pyproject\.toml"):
        write_zip(Course(tmp_path), "unit", tmp_path / "made.zip")
