"""Restoring a notebook: whatever is submitted, every test is there once, as released, and nothing raises."""

import contextlib
import json

import pytest
from grader_course import source_notebook, submission
from hypothesis import given, settings
from hypothesis import strategies as st

from course_grader import notebooks
from course_grader.judge.submitted import Unreadable, parse_notebook


def released() -> list[notebooks.ReleasedCell]:
    """Return the cells of the small course, as its source has them."""
    visible = {cell["id"]: cell["source"] for cell in submission({}).get("cells")}
    cells = []
    for cell in source_notebook()["cells"]:
        metadata = cell["metadata"]["nbgrader"]
        kind = notebooks.kind_of(metadata, cell["cell_type"])
        names = notebooks.defined_names(cell["source"]) if kind == notebooks.SOLUTION else []
        shown = visible[cell["id"]] if kind in (notebooks.TEST, notebooks.LOCKED) else cell["source"]
        cells.append(
            notebooks.ReleasedCell(
                cell["id"], kind, cell["cell_type"], cell["source"], shown, metadata.get("points", 0.0), names, metadata
            )
        )
    return cells


def test_kinds_are_those_of_nbgrader():
    assert [cell.kind for cell in released()] == ["locked", *["solution", "test"] * 3, "manual"]


def test_an_honest_notebook_has_no_notes_and_keeps_its_answers():
    document = submission()
    merged, notes = notebooks.restore(released(), document["cells"])
    assert notes == []
    assert [cell.id for cell in merged] == [cell["id"] for cell in document["cells"]]
    assert {cell.id: cell.source for cell in merged if cell.kind == notebooks.SOLUTION} == {
        cell["id"]: cell["source"] for cell in document["cells"] if cell["id"] in ("double", "mean", "affine")
    }


def test_own_cells_stay_behind_the_cell_that_they_followed():
    document = submission()
    own = {"cell_type": "code", "metadata": {}, "source": "helper = 1"}
    document["cells"].insert(4, own)
    merged, _ = notebooks.restore(released(), document["cells"])
    position = next(index for index, cell in enumerate(merged) if cell.source == "helper = 1")
    assert merged[position - 1].id == "mean"


def of_format_3(document: dict) -> list[dict]:
    """Turn a notebook into one of format 3, and return its cells."""
    cells = document.pop("cells")
    for each in cells:
        del each["id"]
        if each["cell_type"] == "code":
            each["input"] = each.pop("source").splitlines(keepends=True)
            each |= {"language": "python", "collapsed": False, "prompt_number": each.pop("execution_count")}
    document |= {"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": ""}, "worksheets": [{"cells": cells}]}
    return cells


HEADING = {"cell_type": "heading", "level": 2, "source": ["a ", "title"], "metadata": {}}
OLD = {
    "as it should be": lambda document, cells: None,
    "without outputs": lambda document, cells: [each.pop("outputs", None) for each in cells],
    "with a heading in pieces": lambda document, cells: cells.insert(0, HEADING),
    "without its number": lambda document, cells: document.pop("nbformat"),
    "called 4": lambda document, cells: document.update(nbformat=4, nbformat_minor=4),
    "without metadata": lambda document, cells: document.pop("metadata"),
    "in two sheets": lambda document, cells: document["worksheets"].append({"cells": [cells.pop()]}),
    "with cells at the top": lambda document, cells: document.update(document.pop("worksheets")[0]),
    "with what is no cell": lambda document, cells: cells.append(None),
}


@pytest.mark.parametrize("how", OLD)
def test_a_notebook_of_format_3_has_the_same_answers(how):
    document, wanted = submission(), submission()
    OLD[how](document, of_format_3(document))
    merged, _ = notebooks.restore(released(), parse_notebook(json.dumps(document))["cells"])
    found = {cell.id: cell.source for cell in merged if cell.kind in (notebooks.SOLUTION, notebooks.MANUAL)}
    assert found == {cell["id"]: cell["source"] for cell in wanted["cells"] if cell["id"] in found}
    assert list(found) == ["double", "mean", "affine", "why"]


@pytest.mark.parametrize("minor", range(5))
def test_a_notebook_of_format_4_needs_no_cell_ids(minor):
    document = submission()
    document["nbformat_minor"] = minor
    for each in document["cells"]:
        del each["id"]
    merged, notes = notebooks.restore(released(), parse_notebook(json.dumps(document))["cells"])
    assert notes == []
    found = {cell.id: cell.source for cell in merged if cell.kind in (notebooks.SOLUTION, notebooks.MANUAL)}
    assert found == {cell["id"]: cell["source"] for cell in submission()["cells"] if cell["id"] in found}
    assert len(found) == 4


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda children: st.lists(children, max_size=3) | st.dictionaries(st.text(max_size=8), children, max_size=3),
    max_leaves=6,
)


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_whatever_is_submitted_every_test_is_there_once_and_as_released(data):
    cells = json.loads(json.dumps(submission()["cells"]))
    for _ in range(data.draw(st.integers(0, 6))):
        index = data.draw(st.integers(0, len(cells) - 1))
        action = data.draw(st.sampled_from(["delete", "copy", "move", "replace", "damage", "nothing at all"]))
        if action == "delete" and len(cells) > 1:
            del cells[index]
        elif action == "copy":
            cells.insert(data.draw(st.integers(0, len(cells))), json.loads(json.dumps(cells[index])))
        elif action == "move":
            cells.insert(data.draw(st.integers(0, len(cells) - 1)), cells.pop(index))
        elif action == "replace":
            cells[index] = data.draw(ANYTHING)
        elif action == "damage" and isinstance(cells[index], dict):
            key = data.draw(st.sampled_from(["metadata", "source", "cell_type", "id"]))
            cells[index][key] = data.draw(ANYTHING)
    known = released()
    merged, notes = notebooks.restore(known, cells)
    tests = [(cell.id, cell.source) for cell in merged if cell.kind == notebooks.TEST]
    assert tests == [(cell.id, cell.source) for cell in known if cell.kind == notebooks.TEST]
    assert sorted(cell.id for cell in merged if cell.id) == sorted(cell.id for cell in known)
    assert all(isinstance(note, str) for note in notes)
    json.dumps(notebooks.notebook_document(merged, [[] for _ in merged], {}))


@settings(max_examples=100, deadline=None)
@given(text=st.text() | ANYTHING.map(lambda value: json.dumps(value, default=str)))
def test_whatever_the_file_holds_it_is_a_notebook_or_a_sentence(text):
    with contextlib.suppress(Unreadable):
        assert isinstance(parse_notebook(text)["cells"], list)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a <script>b</script>", "a &lt;script>b&lt;/script>"),
        ("[x](javascript:alert(1))", "[x](javascript&#58;alert(1))"),
        ("1 < 2 and `a <b>`", "1 < 2 and `a &lt;b>`"),
    ],
)
def test_text_is_disarmed(text, expected):
    assert notebooks.disarmed(text) == expected
