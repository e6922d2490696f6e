"""No number of a run is typed: what a page says of one comes from a cell or a result file."""

import pytest
from notebooks import ROOT
from typed_numbers import typed_numbers

# Numbers that no run gives: of an example by hand, a setting, a definition, or a paper named beside them.
EXAMPLE, SETTING, DEFINED, CITED = "an example by hand", "a setting", "a definition", "of the paper"
GIVEN = {
    "01": {EXAMPLE: "0.4 0.08 0.1 0.13 1.14"},
    "02": {EXAMPLE: "0.6 0.4 0.2 0.8"},
    "03": {EXAMPLE: "0.6 0.3 0.1", DEFINED: "90%"},
    "04": {SETTING: "0.05 0.3 1.5"},
    "05": {DEFINED: "0.99 0.05"},
    "06": {EXAMPLE: "0.090 0.245 0.665 0.042 0.114 0.269 0.731"},
    "07": {EXAMPLE: "0.5 1.5"},
    "08": {EXAMPLE: "6.3 3.02 0.96", SETTING: "0.005 0.5"},
    "10": {CITED: "27.3 26.0"},
    "11": {EXAMPLE: "0.36 0.30 0.8 0.2 0.5 0.3", SETTING: "0.9"},
    "12": {DEFINED: "0.05"},
    "13": {EXAMPLE: "0.5 0.975 0.015 0.01", SETTING: "0.02", DEFINED: "0.3", CITED: "1.47"},
    "14": {CITED: "3.3 15 %", SETTING: "30 % 24 %", DEFINED: "0.50"},
    "15": {SETTING: "0.004 0.008", EXAMPLE: "1.4"},
    "16": {EXAMPLE: "0.9 0.8", DEFINED: "1 % 0.04"},
    "17": {EXAMPLE: "1.5", DEFINED: "3.5"},
    "18": {EXAMPLE: "0.85", DEFINED: "95 %"},
}
CHAPTERS = sorted((ROOT / "book").glob("[0-9][0-9]_*.md"))
PAGE = """---
jupytext: 0.13
---

The loss is 0.25 at the end, and {glue:text}`share` or 7 % are right, with $p = 0.5$ and `0.1`.

{cite:t}`somebody2017` report 28.4 in section 5.4.

```{code-cell} ipython3
---
mystnb:
  image:
    alt: "A curve that ends at 0.75."
  figure:
    caption: |
      Three seeds, 90 to 95 % each.
    name: fig-one
---
x = 0.3
```

| 0.9 | a table |
|---|---|

:::{quiz}
What is 0.4?
:::
"""


def test_typed_numbers_are_found_and_others_are_not():
    found = [(line, number) for line, number, _ in typed_numbers(PAGE)]
    assert sorted(found) == [(5, "0.25"), (5, "7 %"), (13, "0.75"), (16, "90 to 95 %")]


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
def test_no_number_of_a_run_is_typed(chapter):
    given = " ".join(GIVEN.get(chapter.name[:2], {}).values()).replace(" %", "%").split()
    typed = [
        f"{chapter.name}:{line}: {number} in '{around}'"
        for line, number, around in typed_numbers(chapter.read_text("utf-8"))
        if number.replace(" %", "%") not in given
    ]
    assert typed == []
