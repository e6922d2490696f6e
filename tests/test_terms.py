"""Who searches for a thing by the name that papers give it finds the heading or the entry of the glossary."""

import re
from pathlib import Path

import pytest
from notebooks import ROOT

TERMS = Path(__file__).with_name("standard_terms.txt").read_text("utf-8").splitlines()


def headings() -> str:
    """All headings of the chapters, without code cells, whose comments look alike."""
    pages = [path.read_text("utf-8") for path in sorted((ROOT / "book").glob("[0-9][0-9]_*.md"))]
    prose = [re.sub(r"^```.*?^```$", "", page, flags=re.MULTILINE | re.DOTALL) for page in pages]
    return "\n".join(line for page in prose for line in page.splitlines() if line.startswith("#"))


def glossary() -> str:
    """The terms of the glossary, without what it says of them."""
    entries = (ROOT / "book" / "glossary.md").read_text("utf-8").partition(":::{glossary}")[2]
    return "\n".join(line for line in entries.splitlines() if line and not line.startswith((" ", ":")))


def plain(text: str) -> str:
    return re.sub(r"[-–\s]+", " ", text.replace("`", "")).lower()


SEARCHED = plain(headings() + "\n\n" + glossary()) + " "


def test_there_are_150_terms_each_once():
    assert len(TERMS) >= 150
    assert len({plain(term) for term in TERMS}) == len(TERMS)


@pytest.mark.parametrize("term", TERMS)
def test_a_standard_term_is_a_heading_or_in_the_glossary(term):
    assert re.search(rf"\b{re.escape(plain(term))}(s|es)?\b", SEARCHED), term


def test_a_term_that_is_nowhere_is_noticed():
    assert not re.search(r"\bpositions that turn\b", SEARCHED)
    assert plain("KV-cache") == plain("KV cache")
