"""The book's own extensions: stale runs are forgotten, and what is broken stops the build."""

import re
import shutil
import subprocess
import sys

import pytest
from notebooks import ROOT

MODULES = {
    "__init__.py": "",
    "alone.py": "VALUE = 1\n",
    "base.py": "VALUE = 10\n",
    "middle.py": "from transformer_course.base import VALUE\n",
    "common/__init__.py": "",
    "common/plots.py": "import transformer_course.base\n",
    "common/tokens.py": "PAD = 0\n",
}


@pytest.fixture
def course(tmp_path):
    """A folder with a small library and a page that imports one module of it."""
    for name, text in MODULES.items():
        path = tmp_path / "src" / "transformer_course" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf8")
    empty = ("experiments/__init__.py", "experiments/copying/__init__.py", "book/drawings/__init__.py")
    for name in (*empty, "src/course_checks/unit/softmax.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("", "utf8")
    (tmp_path / "experiments" / "copying" / "model.py").write_text("import transformer_course.alone\n", "utf8")
    (tmp_path / "book" / "drawings" / "masks.py").write_text("from transformer_course import alone\n", "utf8")
    page = tmp_path / "book" / "page.md"
    page.write_text("from transformer_course.middle import VALUE\n", "utf8")
    return tmp_path


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("from transformer_course.alone import VALUE", {"alone.py"}),
        ("from transformer_course.middle import (\n    VALUE,\n)", {"middle.py", "base.py"}),
        ("import transformer_course.middle as m", {"middle.py", "base.py"}),
        ("    from transformer_course import alone", {"alone.py"}),
        ("from transformer_course.common import plots, tokens", {"common/plots.py", "common/tokens.py", "base.py"}),
        ("from experiments.copying.model import Copier", {"experiments/copying/model.py", "alone.py"}),
        ("from experiments.copying import model", {"experiments/copying/model.py", "alone.py"}),
        ("from drawings import masks", {"book/drawings/masks.py", "alone.py"}),
        ('importlib.import_module(f"course_checks.{unit}")', {"src/course_checks/unit/softmax.py"}),
        ("from drawings_of_others import masks", None),
        ("import torch", None),
        ("the words from transformer_course in a sentence", None),
    ],
)
def test_a_page_depends_on_what_it_imports(extension, course, statement, expected):
    found = extension("course_cells").imported_files(f"text\n{statement}\nmore text", course)
    names = {path.relative_to(course).as_posix().removeprefix("src/transformer_course/") for path in found}
    names = {name for name in names if not name.endswith("__init__.py")}
    assert names == (expected or set())
    assert bool(found) == (expected is not None)


@pytest.mark.parametrize(
    ("changed", "matters"),
    [("middle.py", True), ("base.py", True), ("__init__.py", True), ("alone.py", False), ("words.json", True)],
)
def test_the_fingerprint_changes_with_what_matters(extension, course, changed, matters):
    fingerprint, page = extension("course_cells").fingerprint, course / "book" / "page.md"
    before = fingerprint(page, course)
    assert fingerprint(page, course) == before
    with (course / "src" / "transformer_course" / changed).open("a") as file:
        file.write("# changed\n")
    assert (fingerprint(page, course) != before) is matters


def test_the_fingerprint_changes_with_a_file_of_results_that_the_page_names(extension, course):
    fingerprint, page = extension("course_cells").fingerprint, course / "book" / "page.md"
    page.write_text('json.loads(Path("results/run.json").read_text())\n', "utf8")
    results = course / "results" / "run.json"
    results.parent.mkdir()
    results.write_text("1", "utf8")
    before = fingerprint(page, course)
    results.write_text("2", "utf8")
    assert fingerprint(page, course) != before


@pytest.mark.parametrize(("folder", "name"), [("experiments/parts", "results"), ("benchmarks/results", "parts")])
@pytest.mark.parametrize(("named", "matters"), [("parts", True), ("part", False)])
def test_the_fingerprint_changes_with_results_whose_name_is_put_together_by_a_function(
    extension, course, folder, name, named, matters
):
    fingerprint, page = extension("course_cells").fingerprint, course / "book" / "page.md"
    page.write_text(page.read_text() + f'\nkept("{named}")\n')
    results = course / folder / f"{name}.json"
    results.parent.mkdir(parents=True, exist_ok=True)
    results.write_text("[1]")
    before = fingerprint(page, course)
    results.write_text("[2]")
    assert (fingerprint(page, course) != before) is matters


def test_the_script_and_the_style_sheet_of_katex_are_of_one_version(extension, root):
    script = re.search(r'version:"([\d.]+)"', extension("course_math").KATEX.read_text("utf8"))[1]
    assert f'content:"{script}"' in (root / "book" / "_static" / "katex" / "katex.min.css").read_text("utf8")


CONFIG = """
title: Small
only_build_toc_files: true
execute: {execute_notebooks: cache}
parse: {myst_enable_extensions: [colon_fence, deflist, dollarmath]}
sphinx:
  local_extensions: {course_cells: book/_ext, course_math: book/_ext, course_quiz: book/_ext, course_runs: book/_ext}
  config: {html_math_renderer: katex_static}
"""
PAGE = """---
jupytext: {text_representation: {extension: .md, format_name: myst}}
kernelspec: {name: python3, display_name: Python 3, language: python}
---
# Page

```{code-cell} ipython3
from transformer_course.middle import VALUE
print("value", VALUE * 3)
```

FORMULA

:::{quiz}
What is $7 \\cdot 3$?

20
: One less.

21
: As `VALUE * 3`.
:::

```{code-cell} ipython3
print(KEY)
```
"""


@pytest.mark.exhaustive  # it builds a second book
def test_a_build_shows_what_the_library_says_now_and_stops_at_what_is_broken(build_book, course, root):
    shutil.copytree(root / "book" / "_ext", course / "book" / "_ext", ignore=shutil.ignore_patterns("__pycache__"))
    (course / "_config.yml").write_text(CONFIG, "utf8")
    (course / "_toc.yml").write_text("format: jb-book\nroot: book/page\n", "utf8")
    page, html = course / "book" / "page.md", course / "_build" / "html" / "book" / "page.html"
    page.write_text(PAGE.replace("FORMULA", r"$\frac{1}{2}$").replace("KEY", "'b'"), "utf8")

    result = build_book(course)
    assert result.returncode == 0, result.stderr
    assert "value 30" in html.read_text("utf8")
    assert "<mfrac>" in html.read_text("utf8")
    choices = re.findall(r'<div class="choice (\w+)"', html.read_text("utf8"))
    assert choices == ["wrong", "right"]
    assert "One less." in html.read_text("utf8")
    assert "Executing notebook" not in result.stdout, "the page was read before its cells had run"

    # Nothing changed: the page is not even read again.
    result = build_book(course)
    assert "0 added, 0 changed" in result.stdout

    # The library changed, the page did not.
    (course / "src" / "transformer_course" / "base.py").write_text("VALUE = 7\n", "utf8")
    result = build_book(course)
    assert result.returncode == 0, result.stderr
    assert "value 21" in html.read_text("utf8")

    page.write_text(PAGE.replace("FORMULA", r"$\frac{1}{2$").replace("KEY", "'no letter'"), "utf8")
    result = build_book(course)
    assert result.returncode != 0
    assert "quiz: expected the letter of a choice" in result.stderr
    assert re.search(r"page\.md:12: .*WARNING: .*KaTeX", result.stderr), result.stderr

    page.write_text(PAGE.replace('print("value", VALUE * 3)', "VALUE / 0").replace("KEY", "'b'"), "utf8")
    result = build_book(course)
    assert result.returncode != 0
    assert "book/page.md:8: code cell 1 failed" in result.stderr
    assert "ZeroDivisionError: division by zero" in result.stderr
    assert "What to do: if you changed book/page.md" in result.stderr


def test_a_name_in_a_table_breaks_behind_its_underscores_alone(extension):
    code = '<code class="docutils"><span class="pre">attention_weights(_x)</span></code>'
    body = f"<p>{code}</p><table><tr><td>{code}</td></tr></table>"
    context = {"body": body, "title": "", "metatags": 'name="description"'}
    app = type("", (), {"config": type("", (), {"html_title": ""})})
    extension("course_page")._describe(app, "book/x", "page.html", context, None)
    assert context["body"].count("<wbr>") == 1
    assert context["body"].startswith(f"<p>{code}</p>")
    assert "attention_<wbr>weights(_x)" in context["body"]


def test_the_map_leads_to_every_chapter(extension):
    module = extension("course_map")
    later = module.Part("And then", (module.Unit(99, "more", ("More",), adds="a little", lesson=""),))
    parts = (*module.PARTS, later)
    links = {unit.name: f"to-{unit.name}.html" for part in parts for unit in part.units}
    for columns in (1, 3):
        picture = module.draw_map(links, columns, parts)
        assert picture.count("<a ") == len(links)
        assert picture.count('class="way"') == len(links) - len(parts)
        assert 'href="to-06_masking.html" data-unit="06"><rect' in picture
        assert picture.count('class="tick read"') == picture.count('class="tick solved"') == len(links)
        corners = re.findall(r'<rect x="(\d+)" y="(\d+)"', picture)
        assert len(set(corners)) == len(links)
        assert ">And then</text>" in picture


def test_the_script_of_the_marks_is_on_the_chapters_and_on_the_page_of_the_map_alone(extension):
    module, added = extension("course_marks"), {}
    config = type("Config", (), {"root_doc": "book/index"})
    builder = type("Builder", (), {"get_relative_uri": staticmethod(lambda here, there: f"{there} from {here}")})
    names = [*module.NUMBERS, "book/index", "book/notes_04", "search", "exercises/04_scaled_dot_product_attention"]
    for name in names:
        app = type("App", (), {"config": config, "builder": builder})
        app.add_js_file = staticmethod(lambda file, name=name, **more: added.update({name: (file, more)}))
        module._add_script(app, name, "page.html", {}, None)
    assert list(added) == names[:-3]
    assert {file for file, _ in added.values()} == {"marks.js"}
    chapter = added["book/04_scaled_dot_product_attention"][1]
    assert (chapter["data-unit"], chapter["data-map"]) == ("04", "book/index from book/04_scaled_dot_product_attention")
    assert "data-unit" not in added["book/index"][1]


def test_the_transformer_leads_to_every_chapter(extension):
    module = extension("course_transformer")
    picture = module.draw({i: f"to-{i}.html" for i in range(1, 13)}).svg()
    assert {int(number) for number in re.findall(r'href="to-(\d+).html"', picture)} == set(range(1, 13))
    assert 'role="group"' in picture


def test_the_transformer_is_pre_norm(extension):
    """As the models of the chapter are: a norm before each of the five sublayers, and one behind each stack."""
    module = extension("course_transformer")
    words = [part[3] for part in module.PARTS]
    assert len(module.SUBLAYERS) == 5
    assert words.count("norm") == 7
    assert all(words[i - 1] == "norm" for i in module.SUBLAYERS)
    assert [words[i + 1] for i in (6, 16)] == ["norm", "norm"]
    assert words[18] == "linear layer, softmax"
    assert module.draw({i: f"to-{i}.html" for i in range(1, 13)}).svg().count(">+<") == 5


def test_a_program_that_has_rendered_a_formula_ends():
    """With Python 3.13 one whose engine is still open would wait for ever."""
    load = "import importlib.util as u; s = u.spec_from_file_location('m', 'book/_ext/course_math.py'); "
    load += "m = u.module_from_spec(s); s.loader.exec_module(m); print(m.render_tex('x^2', False, '{}')['html'][:5])"
    for program in (load, "from course_grader.texts import formula; print(formula('x^2', False)[:5])"):
        done = subprocess.run(
            [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=120, check=True
        )
        assert done.stdout.strip() == "<span"
