"""The book as a PDF, of a few of its pages."""

import re

import pdf
import pytest
from pypdf import PdfReader

NAMES = ("book/index", "book/setup", "book/06_masking")
PAGE = """<html><article class="bd-article"><section id="masking"><h1>6. <i>Masking</i><a class="headerlink">#</a></h1>
<script>run()</script><label for="quiz-1">a</label><a href="#masking">here</a><a href="04_scaled.html#keys">keys</a>
<a href="../exercises/x.html">exercise</a><a href="https://arxiv.org">paper</a><path fill="url(#shade)"/>
<details class="sd-dropdown"></details><details class="hide below-input"></details></section></article></html>"""


@pytest.fixture(scope="module")
def printed(book, browser, tmp_path_factory):
    """Print three pages of the book."""
    file = tmp_path_factory.mktemp("pdf") / "book.pdf"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pdf, "chapters", lambda toc: [("Part", name) for name in NAMES])
        count = pdf.write(book, file, browser)
    reader = PdfReader(file)
    assert count == len(reader.pages)
    return reader


def test_anchors_of_two_pages_cannot_meet_and_links_lead_inside_the_file():
    text = pdf.body(PAGE, "book/06_masking", {"book/06_masking", "book/04_scaled"})
    assert '<section class="chapter" id="06_masking"><section id="06_masking--masking">' in text
    for kept in (
        'href="#06_masking--masking"',
        'href="#04_scaled--keys"',
        "https://arxiv.org",
        'for="06_masking--quiz-1"',
    ):
        assert kept in text
    assert "url(#06_masking--shade)" in text
    assert "<a >exercise</a>" in text
    assert "run()" not in text
    assert text.count("<details open") == 1


def test_a_title_has_its_number_and_no_marks():
    assert pdf.title_of(PAGE) == "6. Masking"


def test_the_contents_name_the_page_on_which_a_chapter_begins(printed):
    texts = [page.extract_text() for page in printed.pages]
    contents = next(text for text in texts if "Contents" in text)
    for title in ("Installation", "Masking"):
        number = int(re.search(rf"{title}\s*(\d+)", contents)[1])
        assert title in texts[number - 1]
        assert texts[number - 1].strip().endswith(str(number))  # the number at the foot


def test_bookmarks_lead_to_chapters_and_sections(printed):
    chapters = [entry["/Title"] for entry in printed.outline if not isinstance(entry, list)]
    assert chapters == ["Attention, from RNN to Transformer", "Contents", "Installation", "6. Masking"]
    masking = [entry["/Title"] for entry in printed.outline[-1] if not isinstance(entry, list)]
    # One that breaks in the middle, and one that is alone on its line.
    assert {"Two things to hide: the padding mask and the causal mask", "Summary"} <= set(masking)


def test_a_figure_a_formula_and_code_are_in_it(printed):
    text = "".join(page.extract_text() for page in printed.pages)
    assert "masked_fill" in text
    assert "softmax" in text
    assert any("/Font" in page["/Resources"] for page in printed.pages)
