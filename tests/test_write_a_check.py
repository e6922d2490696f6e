"""What the page for authors shows is what the example is, and what it says."""

from inspect import getsource
from runpy import run_path

import pytest
from notebooks import ROOT

from course_checks.words import CheckFailed

EXAMPLES = ROOT / "docs" / "examples"


@pytest.fixture(scope="module")
def task():
    return run_path(str(EXAMPLES / "moving_average_check.py"))["task"]


@pytest.fixture(scope="module")
def answers():
    return run_path(str(EXAMPLES / "moving_average_answers.py"))


@pytest.mark.parametrize("name", ["two_mistakes", "nobody_listed", "right"])
def test_the_answers_and_what_is_said_of_them_stand_on_the_page(task, answers, name, capsys):
    page = (ROOT / "book" / "write_a_check.md").read_text("utf-8")
    answer = answers[name]
    assert f"```python\n{getsource(answer)}```" in page
    try:
        task.check(answer)
        said = capsys.readouterr().out.strip()
    except CheckFailed as failed:
        said = str(failed)
    assert f"```console\n{said}\n```" in page


def test_the_whole_task_stands_on_the_page():
    code = (EXAMPLES / "moving_average_check.py").read_text("utf-8")
    page = (ROOT / "book" / "write_a_check.md").read_text("utf-8")
    shown = "".join(part.partition("```")[0] for part in page.split("```python\n")[1:])
    assert code.partition('"""\n\n')[2].split() == shown[: shown.index("def two_mistakes")].split()


def test_the_hidden_cases_tell_the_same(task, answers):
    task.grade(answers["right"])
    with pytest.raises(CheckFailed, match="the last window is left out"):
        task.grade(answers["two_mistakes"])
