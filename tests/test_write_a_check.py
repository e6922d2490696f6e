"""What the page for authors shows is what the example is, and what it says."""

import sys
from inspect import getsource

import pytest
from notebooks import ROOT

from course_checks.words import CheckFailed

EXAMPLES = ROOT / "docs" / "examples"


@pytest.fixture(scope="module")
def examples():
    """The task and the answers of the page."""
    sys.path.insert(0, str(EXAMPLES))
    import moving_average_answers
    import moving_average_check

    yield moving_average_check.task, moving_average_answers
    sys.path.remove(str(EXAMPLES))


@pytest.mark.parametrize("name", ["two_mistakes", "nobody_listed", "right"])
def test_the_answers_and_what_is_said_of_them_stand_on_the_page(examples, name, capsys):
    task, answers = examples
    page = (ROOT / "book" / "write_a_check.md").read_text("utf-8")
    answer = getattr(answers, name)
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


def test_the_hidden_cases_tell_the_same(examples):
    task, answers = examples
    task.grade(answers.right)
    with pytest.raises(CheckFailed, match="the last window is left out"):
        task.grade(answers.two_mistakes)
