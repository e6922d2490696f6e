"""Chapters that a reader gets through: a ceiling of words, and the minutes that they honestly take."""

import re

import pytest
import words
from notebooks import ROOT

CEILING = 3000
# Chapters that are still longer: what they have today; a number here only falls, and goes when it is below the ceiling.
LONGER: dict[str, int] = {}
CHAPTERS = sorted((ROOT / "book").glob("[0-9][0-9]_*.md"))
PAGE = """---
kernelspec: {name: python3}
---

# Five words in a heading

:::{admonition} What you will be able to do
:class: goals
- One two.
:::

Three {doc}`four five <06_masking>` with $a + b$ and {glue:text}`number`.

| a | table |
|---|---|

```{code-cell} ipython3
not prose
```

:::{dropdown} A fold
not prose
:::

## Reference solution

not prose
"""


def test_prose_is_what_stands_in_paragraphs_and_lists():
    assert words.prose(PAGE).split() == ["-", "One", "two.", "Three", "four", "five", "with", "x", "and", "x."]
    assert words.count(PAGE) == (9, 5)


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
def test_a_chapter_is_no_longer_than_a_reader_can_read(chapter):
    counted, _ = words.count(chapter.read_text("utf-8"))
    assert counted <= LONGER.get(chapter.name[:2], CEILING)


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
def test_the_minutes_of_reading_are_those_of_its_words(chapter):
    text = chapter.read_text("utf-8")
    (stated,) = re.findall(r"\*\*Reading time\*\* (\d+) minutes", text)
    assert int(stated) == words.count(text)[1]
