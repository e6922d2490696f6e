"""The built book as files: complete, linked, light on hosts, and without answers."""

import functools
import json
import os
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import nbformat
import pytest
from bs4 import BeautifulSoup

from transformer_course.common.units import UNITS

RESOURCES = (
    ("script", "src"),
    ("link", "href"),
    ("img", "src"),
    ("source", "src"),
    ("iframe", "src"),
    ("video", "src"),
)
LINKS_THAT_LOAD = {"stylesheet", "icon", "preload", "modulepreload", "manifest"}


@functools.cache  # many tests look at all pages
def read_html(path: Path) -> BeautifulSoup:
    return BeautifulSoup(path.read_text("utf8"), "html.parser")


def html_files(book: Path) -> list[Path]:
    return [path for path in book.rglob("*.html") if not {"_static", "_sources"} & set(path.relative_to(book).parts)]


@pytest.mark.skipif("PYTEST_XDIST_WORKER" not in os.environ, reason="only where several processes share the tests")
def test_one_process_runs_the_tests_of_the_built_files(request):
    # pytest-xdist appends the group to the name of a test; without one, every process would wait for the book.
    assert request.node.nodeid.endswith("@book")


def test_every_page_of_the_contents_is_built_and_nothing_else(book, root):
    from_toc = re.findall(r"(?:file|root): (\S+)", (root / "_toc.yml").read_text("utf8"))
    built = {path.relative_to(book).with_suffix("").as_posix() for path in html_files(book)}
    assert built == {*from_toc, "index", "search"}


def test_first_page_has_a_title_and_leads_to_the_course(book):
    page = read_html(book / "index.html")
    assert page.html["lang"] == "en"
    assert page.title.text.strip()
    target = page.find("meta", attrs={"http-equiv": "refresh"})["content"].split("url=")[1]
    assert (book / target).is_file()
    assert page.find("a", href=target)


def test_no_page_shows_what_a_library_wrote_to_stderr(book):
    shown = {path.name: node.text for path in html_files(book) for node in read_html(path).select(".output.stderr")}
    assert shown == {}


def test_no_page_names_a_resource_of_another_host(book):
    foreign = []
    for path in html_files(book):
        page = read_html(path)
        for tag, attribute in RESOURCES:
            for node in page.find_all(tag):
                url = node.get(attribute)
                if not url or (tag == "link" and not LINKS_THAT_LOAD & set(node.get("rel", []))):
                    continue
                if re.match(r"(?:https?:)?//", url):
                    foreign.append((path.name, url))
    assert foreign == []


def test_no_style_sheet_in_use_names_another_host(book):
    used = {
        (path.parent / unquote(urlsplit(link["href"]).path)).resolve()
        for path in html_files(book)
        for link in read_html(path).find_all("link", rel="stylesheet")
    }
    foreign = [
        (sheet.name, url)
        for sheet in used
        for url in re.findall(r"(?:url\(|@import\s+)[\"']?((?:https?:)?//[^\"')\s]+)", sheet.read_text("utf8"))
    ]
    assert foreign == []
    assert "course.css" in {sheet.name for sheet in used}


def test_every_local_link_and_anchor_leads_somewhere(book):
    pages = {path.resolve(): read_html(path) for path in html_files(book)}
    anchors = {
        path: {node["id"] for node in page.find_all(id=True)}
        | {node["name"] for node in page.find_all("a", attrs={"name": True})}
        for path, page in pages.items()
    }
    broken = []
    for path, page in pages.items():
        for node, attribute in [(node, a) for a in ("href", "src") for node in page.find_all(attrs={a: True})]:
            url = urlsplit(node[attribute])
            if url.scheme or url.netloc or node[attribute].startswith("#pst-"):
                continue
            target = (path.parent / unquote(url.path)).resolve() if url.path else path
            if not target.exists():
                broken.append(f"{path.name}: {node[attribute]} (no such file)")
            elif url.fragment and target in anchors and unquote(url.fragment) not in anchors[target]:
                broken.append(f"{path.name}: {node[attribute]} (no such anchor)")
    assert broken == []


def test_answers_and_hidden_tests_are_nowhere_in_the_book(book, root):
    assert not list(book.rglob("*solutions*"))
    hidden = set()
    for path in (root / "solutions").glob("*/*.ipynb"):
        for cell in nbformat.read(path, as_version=4).cells:
            for block in re.findall(r"### BEGIN HIDDEN TESTS(.*?)### END HIDDEN TESTS", cell.source, re.DOTALL):
                hidden |= {line.strip() for line in block.splitlines() if len(line.strip()) > 50}
    leaks = []
    for path in book.rglob("*"):
        if path.suffix not in {".html", ".ipynb", ".js", ".md", ".txt"} or "_static" in path.parts:
            continue
        text = path.read_text("utf8")
        escaped = read_html(path).get_text() if path.suffix == ".html" else text
        marks = ("BEGIN SOLUTION", "END SOLUTION", "BEGIN HIDDEN TESTS", "END HIDDEN TESTS")
        leaks += [(path.name, mark) for mark in marks if mark in text]
        if "exercises" in path.parts:
            leaks += [(path.name, line) for line in hidden if line in escaped]
    assert leaks == []


def test_every_page_describes_itself_once(book):
    for path in html_files(book):
        page = read_html(path)
        assert len(page.find_all("meta", attrs={"name": "description"})) == 1, path
    descriptions = [read_html(path).find("meta", attrs={"name": "description"})["content"] for path in html_files(book)]
    assert all(5 < len(text) <= 160 for text in descriptions), descriptions


def test_a_chapter_and_its_figures_carry_the_number_of_the_unit(book):
    chapters = [path for path in (book / "book").glob("*.html") if re.match(r"\d\d_", path.name)]
    assert chapters
    for path in chapters:
        page, number = read_html(path), int(path.name[:2])
        assert page.select_one("article h1 .section-number").text.strip() == f"{number}."
        numbers = [node.text for node in page.select(".caption-number, .eqno")]
        assert all(re.search(rf"\b{number}\.\d", text) for text in numbers), numbers


def test_formulas_are_ready_and_readable_without_a_script(book):
    page = read_html(book / "book" / "notation.html")
    assert len(page.select("span.katex-html")) > 20
    assert len(page.find_all("math")) == len(page.select("span.katex"))  # MathML for screen readers
    for path in html_files(book):
        assert "katex-error" not in path.read_text("utf8"), path


def test_a_mark_behind_a_short_formula_stays_with_it(book):
    page = read_html(book / "book" / "04_scaled_dot_product_attention.html")
    formulas = page.select("article span.math")
    marked = [formula for formula in formulas if str(formula.next_sibling or "")[:1] in tuple(".,;:!?)")]
    kept = [formula for formula in marked if "unbroken" in formula.parent.get("class", [])]
    assert len(kept) > 5
    assert all(len(formula.find("annotation").text) >= 30 for formula in marked if formula not in kept)
    assert len(formulas) > len(marked)


def test_only_forms_of_dropdown_that_need_no_script(book):
    for path in html_files(book):
        page = read_html(path)
        assert not page.select(".toggle, .admonition.dropdown"), f"{path.name}: use {{dropdown}}, which is a <details>"
        for summary in page.select("article summary"):
            assert summary.get_text(strip=True), f"{path.name}: a summary without words"
            assert not summary.has_attr("aria-label"), f"{path.name}: a label that hides the words of the summary"


def test_figures_have_a_text_for_those_who_cannot_see_them(book):
    for path in html_files(book):
        for image in read_html(path).select("article img"):
            alt = image.get("alt", "")
            assert len(alt) > 10, f"{path.name}: {image.get('src')} has the alt text {alt!r}"
            assert not alt.startswith(".."), f"{path.name}: {alt!r} is a file name; mystnb image alt sets a text"


def test_a_chapter_can_be_downloaded_as_notebook_and_as_text(book, chapter_name, root):
    page = read_html(book / f"{chapter_name}.html")
    links = [node["href"] for node in page.select(".dropdown-download-buttons a")]
    source = book / "_sources" / f"{chapter_name}.md"
    assert source.read_bytes() == (root / f"{chapter_name}.md").read_bytes()
    assert any(link.endswith(".md") for link in links)
    if re.search(r"book/\d\d_", chapter_name):
        assert any(link.endswith(".ipynb") for link in links)
        notebook = nbformat.read(book / "_sources" / f"{chapter_name}.ipynb", as_version=4)
        assert any(cell.source for cell in notebook.cells if cell.cell_type == "code")
        text = next(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
        assert r"\newcommand{\softmax}{\operatorname{softmax}}" in text
        assert r"\newcommand{\query}[1]{#1}" in text


def test_an_exercise_can_be_launched_and_downloaded(book, exercise_name, root):
    page = read_html(book / f"{exercise_name}.html")
    launch = [node["href"] for node in page.select(".dropdown-launch-buttons a")]
    assert f"http://localhost:8888/lab/tree/{exercise_name}.ipynb" in launch
    assert not [link for link in launch if "jupyter-book" in link], "this would launch the repository of Jupyter Book"
    links = [node["href"] for node in page.select(".dropdown-download-buttons a")]
    assert any(link.endswith(".ipynb") for link in links)
    copy = json.loads((book / "_sources" / f"{exercise_name}.ipynb").read_text("utf8"))
    assert copy == json.loads((root / f"{exercise_name}.ipynb").read_text("utf8"))


@pytest.mark.parametrize("kind", ["prev", "next"])
def test_previous_and_next_lead_through_the_whole_book(book, kind, root):
    names = re.findall(r"(?:file|root): (\S+)", (root / "_toc.yml").read_text("utf8"))
    order = names if kind == "next" else names[::-1]
    for here, there in zip(order[:-1], order[1:], strict=True):
        link = read_html(book / f"{here}.html").select_one(
            f".prev-next-area a.{'right' if kind == 'next' else 'left'}-{kind}"
        )
        assert ((book / here).parent / link["href"]).resolve() == (book / f"{there}.html").resolve()


def test_glossary_terms_and_citations_are_links(book):
    page = read_html(book / "book" / "index.html")
    assert page.find("a", href="glossary.html#term-query")
    assert len(read_html(book / "book" / "bibliography.html").select(".citation")) > 25


def test_the_page_of_the_library_has_a_section_for_each_unit(book):
    page = read_html(book / "book" / "api.html")
    titles = [title.contents[0] for title in page.select("#the-units > section > h3")]
    assert titles == [unit.label for unit in UNITS]
    assert page.select_one("#module-transformer_course\\.masking dl.function")


def test_what_a_function_returns_is_one_sentence_on_the_page_of_the_library(book):
    # In "Returns:" a colon in the first line makes a type of what stands before it, and the page prints it last.
    fields = [field.text for field in read_html(book / "book" / "api.html").select("dl.field-list > dt")]
    assert sum(field.startswith("Returns") for field in fields) > 50
    assert not [field for field in fields if field.startswith("Return type")]
