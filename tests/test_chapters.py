"""What a chapter takes from the library is there: known in seconds, before the book is built."""

import ast
import importlib
import json
import re

import jupytext
import pytest
from notebooks import ROOT

from transformer_course.common.units import UNITS

SHOWN = re.compile(r"^```\{literalinclude\} (\S+)\n((?::.*\n)*)", re.MULTILINE)


@pytest.fixture(params=UNITS, ids=lambda unit: unit.name)
def chapter(request):
    """The file of each chapter."""
    return ROOT / "book" / f"{request.param.name}.md"


def test_cells_import_what_exists(chapter):
    imports = [
        node
        for cell in jupytext.read(chapter, fmt="md:myst").cells
        if cell.cell_type == "code"
        for node in ast.walk(ast.parse(cell.source))
        if isinstance(node, ast.ImportFrom)
        and node.module.startswith(("transformer_course", "experiments", "drawings"))
    ]
    assert imports
    for node in imports:
        module = importlib.import_module(node.module)
        for alias in node.names:
            # A name that is no attribute may be a module that nobody has imported yet.
            if not hasattr(module, alias.name):
                importlib.import_module(f"{node.module}.{alias.name}")


@pytest.mark.parametrize("page", sorted((ROOT / "book").glob("*[0-9]*.md")), ids=lambda page: page.stem)
def test_no_cell_that_is_shown_runs_the_profiler_which_writes_to_stderr(page):
    hidden = {"remove-cell", "remove-output", "remove-stderr"}
    code = [cell for cell in jupytext.read(page, fmt="md:myst").cells if cell.cell_type == "code"]
    shown = [cell.source for cell in code if not hidden & set(cell.metadata.get("tags", []))]
    assert not [source for source in shown if "torch.profiler" in source]


def test_the_minutes_of_the_exercise_are_those_of_its_tasks(chapter):
    name = chapter.stem
    first = json.loads((ROOT / "exercises" / name / f"{name}.ipynb").read_text("utf8"))["cells"][0]
    tasks = re.findall(r"^\| \d+ · ([^|]*)\| (\d+) \|", "".join(first["source"]), re.MULTILINE)
    minutes = sum(int(minutes) for task, minutes in tasks if "stretch" not in task)
    text = chapter.read_text("utf8")
    assert f"**Exercise** {{doc}}`{minutes} minutes </exercises/{name}/{name}>`" in text
    (reading,) = re.findall(r"\*\*Reading time\*\* (\d+) minutes", text)
    assert int(reading) <= 90


def test_every_question_answers_back_and_every_chapter_has_some(chapter):
    text = chapter.read_text("utf8")
    assert text.count(":::{quiz}") >= 4
    assert "**1.**" not in text


def test_a_chapter_ends_as_the_others(chapter):
    headings = re.findall(r"^## (.*)$", chapter.read_text("utf8"), re.MULTILINE)
    last = [
        "Check yourself",
        "Summary",
        "What you can do now",
        "Exercise",
        "Reference solution",
        "Further reading",
    ]
    assert headings[-len(last) - 1 :] == [*last, "Sources"]


def test_a_chapter_has_two_drawings(chapter):
    assert (
        len(
            re.findall(
                r"^(?:\w+_drawings\.\w+\(|drawing$|picture$)|transformer-map", chapter.read_text("utf8"), re.MULTILINE
            )
        )
        >= 2
    )


def test_code_that_is_shown_exists(chapter):
    for place, options in SHOWN.findall(chapter.read_text(encoding="utf-8")):
        source = (chapter.parent / place).read_text(encoding="utf-8")
        shown = source
        for dotted in re.findall(r"^:pyobject: (\S+)$", options, re.MULTILINE):
            inside = ast.parse(source)
            for name in dotted.split("."):
                inside = next((node for node in inside.body if getattr(node, "name", None) == name), None)
                assert inside, f"{place} has no {dotted}"
            shown = ast.get_source_segment(source, inside)
        for line in re.findall(r"^:(?:start-at|end-before): (.*)$", options, re.MULTILINE):
            assert line in shown, f"{place}: what is shown has no line with {line!r}"


def test_no_two_figures_or_places_of_the_book_have_one_label():
    texts = {path.name: path.read_text("utf-8") for path in sorted((ROOT / "book").glob("*.md"))}
    label = re.compile(r"^(?:    name: |\(|:(?:name|label): )([\w-]+)(?:\)=)?$", re.MULTILINE)
    found = [(each, name) for name, text in texts.items() for each in label.findall(text)]
    labels = [each for each, _ in found]
    assert [(each, name) for each, name in found if labels.count(each) > 1] == []
    assert len(labels) > 200
