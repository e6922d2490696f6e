"""What people write and checks say, as HTML on a page that must not act."""

import re
import time

import pytest

from course_grader.own_code import Alphabet, own_code
from course_grader.texts import LONGEST, markdown, message

FAILED = """softmax: 2 rows of 3
  observed:      <b>row 1</b> sums to 1.2
  expected:      rows that sum to 1
  likely cause:  the exponents are not divided
  try:           add up a row by hand,
                 and look at it"""


def test_a_message_has_a_list_of_its_labelled_lines():
    page = message(FAILED)
    assert page.startswith('<p class="text">softmax: 2 rows of 3</p><dl')
    assert re.findall("<dt>(.*?)</dt>", page) == ["observed", "expected", "likely cause", "try"]
    assert "<dd>&lt;b&gt;row 1&lt;/b&gt; sums to 1.2</dd>" in page
    assert "<dd>add up a row by hand,\nand look at it</dd>" in page


def counts(action) -> float:
    """Say how often this machine could count to a million meanwhile: no number of seconds is right on every machine."""

    def seconds(work):
        start = time.process_time()
        work()
        return time.process_time() - start

    return seconds(action) / min(seconds(lambda: sum(1 for _ in range(1_000_000))) for _ in range(3))


@pytest.mark.parametrize("text", ["assert 3 == 4", "Traceback: a\nb", "error: nothing"])
def test_other_messages_stay_as_they_are(text):
    assert message(text) == f'<p class="text">{text}</p>'


def test_formulas_become_mathml():
    page = markdown("Why $\\sqrt{d_k}$ and not $$\\frac{1}{n}$$ here?")
    assert page.count("<math") == 2
    assert "<msqrt>" in page
    assert "<mfrac>" in page
    assert "<code>\\frac{</code>" in markdown("$\\frac{$")


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "[here](javascript:alert(1))",
        "[here](data:text/html,<script>)",
        "![seen](https://example.org/track.png)",
        '<img src="x" onerror="alert(1)">',
        "$\\href{javascript:alert(1)}{x}$",
        "$\\htmlClass{x}{y}$",
    ],
)
def test_nothing_on_the_page_acts(text):
    page = markdown(text)
    assert not re.search(r"<(script|img|iframe)|href=.(javascript|data)|<a [^>]*javascript|class=.x", page, re.I)


def test_a_fold_is_a_fold_and_only_where_it_is_closed():
    fold = "Before\n\n<details><summary>A *first* step</summary>\n\nWrite $x$ down.\n\n</details>\n\nAfter"
    page = markdown(fold)
    assert "<details><summary>A <em>first</em> step</summary>" in page
    assert page.index("</details>") < page.index("After")
    assert "<math" in page
    assert "&lt;" not in page
    for text in ("<details><summary>open</summary>\n\nno end", "</details>", "<details onclick='x'>\n</details>"):
        assert not re.search("</?details", markdown(text))
    assert "<script" not in markdown("<details><summary><script></summary>\n<script>\n</details>")


def test_links_that_lead_nowhere_from_the_page_are_their_text():
    page = markdown("Read [chapter *05*](../../book/05.md), [here](#there), and [the paper](https://arxiv.org/abs/1).")
    assert page == ('<p>Read chapter <em>05</em>, here, and <a href="https://arxiv.org/abs/1">the paper</a>.</p>\n')


@pytest.mark.parametrize(
    ("piece", "size"),
    [
        ("<details><summary>open</summary>\n", 2**20),
        ("[a]: /b\n", LONGEST),
        ("\\begin{align}\n", LONGEST),
        ("_a__b", LONGEST),
        ("*a ", LONGEST),
        ("$x$ ", LONGEST),
    ],
)
def test_no_text_keeps_whoever_grades_waiting(piece, size):
    assert counts(lambda: markdown(piece * (size // len(piece)))) < 40  # 0.3 to 6; the first took thousands once


def test_a_text_that_is_too_long_is_shown_as_it_was_written():
    assert markdown("*a* <b>" + "." * LONGEST).startswith("<pre>*a* &lt;b&gt;...")


def test_folds_that_are_open_beside_one_that_is_closed():
    fold = "<details><summary>{}</summary>\n\n*in*\n{}"
    page = markdown("</details>\n" + fold.format("one", "</details>\n") + "between\n" + fold.format("two", ""))
    assert page.count("<details>") == page.count("</details>") == 1
    assert page.index("<summary>one</summary>") < page.index("<em>in</em>") < page.index("between")
    assert "&lt;summary&gt;two" in page


def test_own_code_of_a_long_line_is_found_at_once():
    assert counts(lambda: own_code("self.a:" * 6000, "", Alphabet())) < 40
