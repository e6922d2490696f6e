"""A check in a notebook is a card with the words of the plain text, which stays plain for terminals and nbgrader."""

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbclient import NotebookClient

from course_checks.card import failed_card, in_notebook, passed_card
from course_checks.words import CheckFailed, passed

PARTS = {"name": "softmax", "situation": "a row with <b>bold</b>", "observed": '<img src=x onerror="alert(1)"> & `x`',
         "expected": "weights", "cause": "`dim` is missing", "hint": "print\nthe shape"}  # fmt: skip
START = f"""
import os
from course_checks.words import CheckFailed, passed
import contextlib, io
PARTS = {PARTS}
"""


def words(text: str) -> list[str]:
    return text.replace("`", "").split()


def test_a_card_has_the_words_of_the_text_and_nothing_that_acts():
    page = BeautifulSoup(failed_card(PARTS), "html.parser")
    assert words(page.get_text(" ").replace(" :", ":")) == words(str(CheckFailed(**PARTS)))
    assert {tag.name for tag in page.find_all()} == {"div", "span", "code", "br"}
    assert all(set(tag.attrs) <= {"style"} for tag in page.find_all())
    good = BeautifulSoup(passed_card([("softmax", "<i>right</i>")]), "html.parser")
    assert words(good.get_text(" ")) == words("passed  softmax: <i>right</i>")


def test_outside_a_notebook_it_is_text(capsys):
    assert not in_notebook()
    passed("softmax", "right")
    assert capsys.readouterr().out == "passed  softmax: right\n"
    assert CheckFailed(**PARTS)._render_traceback_() == str(CheckFailed(**PARTS)).splitlines()


@pytest.fixture(scope="module")
def outputs():
    """The outputs of four cells: right twice, wrong, wrong under nbgrader, and captured."""
    cells = ["passed('softmax', 'one')\npassed('softmax', 'two')", "raise CheckFailed(**PARTS)",
             "os.environ['NBGRADER_EXECUTION'] = 'autograde'\npassed('softmax', 'one')\nraise CheckFailed(**PARTS)",
             "del os.environ['NBGRADER_EXECUTION']\nwith contextlib.redirect_stdout(io.StringIO()) as kept:\n"
             "    passed('softmax', 'one')\nkept.getvalue()"]  # fmt: skip
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(each) for each in [START, *cells]])
    NotebookClient(notebook, allow_errors=True, kernel_name="python3").execute()
    return [cell.outputs for cell in notebook.cells[1:]]


def test_two_lines_of_a_cell_are_one_card(outputs):
    (shown,) = outputs[0]
    assert shown.data["text/plain"] == "passed  softmax: one\npassed  softmax: two"
    assert shown.data["text/html"] == passed_card([("softmax", "one"), ("softmax", "two")])


def test_what_did_not_pass_is_a_card_and_still_an_error(outputs):
    shown, error = outputs[1]
    assert shown.data["text/plain"] == error.evalue == str(CheckFailed(**PARTS))
    assert shown.data["text/html"] == failed_card(PARTS)
    assert (error.output_type, error.traceback) == ("error", ["softmax: not passed"])


def test_nbgrader_gets_text_alone(outputs):
    printed, error = outputs[2]
    assert printed.text == "passed  softmax: one\n"
    assert "\n".join(error.traceback) == str(CheckFailed(**PARTS))


def test_captured_output_is_text(outputs):
    (shown,) = outputs[3]
    assert shown.data["text/plain"] == repr("passed  softmax: one\n")
