"""Count what a reader reads in a chapter: `python tools/words.py 04`, or all of them without a number.

Prose is what stands in paragraphs and lists of the body: no folds, questions, code, tables, captions or formulas. The
minutes are of all that is read, folds aside: 110 words a minute, captions, tables and questions included, half a minute
for a displayed formula and for a figure, five seconds for a visible line of code, rounded up to 5.
"""

import math
import re
import sys

from notebooks import ROOT

WORDS_A_MINUTE = 110  # what readers of all chapters took; 180 a minute was nearly twice too fast
SECONDS_A_LINE = 5
CELL = r"^```\{code-cell\}[^\n]*\n(.*?)^```$"
FENCED = r"^```.*?^```$"
UNREAD = (
    r"\A---\n.*?^---$",  # the head of the file
    r"^(:{3,})\{dropdown\}.*?^\1$",
    r"^## (?:Reference solution|Further reading|Sources)\n.*?(?=^## |\Z)",
)
NOT_PROSE = (*UNREAD, r"^(:{3,})\{quiz\}.*?^\1$", FENCED, r"^\$\$.*?^\$\$$", r"^\|[^\n]*$", r"^#+ [^\n]*$")
MARKS = (r"^\([^\n]*\)=$", r"^:(?:::|\w+:)[^\n]*$", r"^\[\^[^\n]*$")


def without(patterns: tuple[str, ...], text: str) -> str:
    """Take out what the patterns find."""
    for pattern in patterns:
        text = re.sub(pattern, "", text, flags=re.MULTILINE | re.DOTALL)
    return text


def plain(text: str) -> str:
    """Make a formula, code or number of a cell one word, and a link its text."""
    text = re.sub(r"\{glue:text\}`[^`]*`|\$[^$]*\$", "x", without(MARKS, text))
    text = re.sub(r"\{\w+(?::\w+)?\}`([^`<]*)(?:<[^`]*>)?`", r"\1", text)
    return re.sub(r"`[^`]*`", "x", text)


def prose(text: str) -> str:
    """Return the paragraphs and lists of a page's body."""
    return plain(without(NOT_PROSE, text))


def number_of_words(text: str) -> int:
    """Count words; a formula in a line is one."""
    return len(re.findall(r"\w[\w'’-]*", text))


def count(text: str) -> tuple[int, int]:
    """Return the words of prose and the minutes that the page takes."""
    read = without(UNREAD, text)
    captions = re.findall(r"^    caption: \|\n(.*?)(?=^    \w+:|^---|^  \w)", read, re.MULTILINE | re.DOTALL)
    words = sum(map(number_of_words, (plain(without((FENCED,), read)), *map(plain, captions))))
    formulas = len(re.findall(r"^```\{math\}", read, re.MULTILINE)) + len(re.findall(r"^\$\$", read, re.MULTILINE)) // 2
    figures = len(re.findall(r"^  figure:|^```\{figure\}|^live\.\w+\(", read, re.MULTILINE))
    cells = re.findall(CELL, read, re.MULTILINE | re.DOTALL)
    shown = [cell for cell in cells if not re.search(r"(?:remove|hide)-(?:cell|input)", cell)]
    lines = sum(1 for cell in shown for line in cell.splitlines() if line.strip())
    minutes = words / WORDS_A_MINUTE + (formulas + figures) / 2 + lines * SECONDS_A_LINE / 60
    return number_of_words(prose(text)), 5 * math.ceil(minutes / 5)


def main(arguments: list[str]) -> int:
    """Print a line for each chapter."""
    for path in sorted((ROOT / "book").glob("[0-9][0-9]_*.md")):
        if not arguments or path.name[:2] in arguments:
            words, minutes = count(path.read_text("utf-8"))
            print(f"{path.stem}: {words:,} words of prose, {minutes} minutes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
