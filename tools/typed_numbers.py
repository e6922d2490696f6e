"""Finds numbers that are typed into the prose, captions and alt texts of a chapter, and may be those of a run."""

import re
from collections.abc import Iterator

NUMBER = re.compile(r"(?<![\w.$\\{])\d[\d,]*\.\d+(?![\w$])|(?<![\w.$\\{])\d[\d,]*(?: to \d[\d,]*)? ?%")
# Not prose, or prose whose numbers have another source: formulas, code, tables, questions, a sentence that cites.
ELSEWHERE = (
    r"\A---\n.*?^---$",
    r"^:::\{quiz\}.*?^:::$",
    r"^```.*?^```$",
    r"^\$\$.*?^\$\$$",
    r"^\|[^\n]*$",
    r"^[^\n]*\{cite:[^\n]*$",
    r"\$[^$\n]*\$",
    r"`[^`\n]*`",
    r"<[^>\n]*>",
    r"(?:[Ss]ections?|equations?|appendix|tables?|figures?|versions?|Python)\s[\d.]+(?:(?:,| and| to) [\d.]+)*",
)
SHOWN = re.compile(r"^    (?:alt|caption): (.*?)(?=^    \w+:|^  \w+:|^---)", re.MULTILINE | re.DOTALL)


def _blank(match: re.Match) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def typed_numbers(text: str) -> Iterator[tuple[int, str, str]]:
    """Give the line, the number and its surroundings, for each decimal and each percentage that nothing computed."""
    pieces = [(text.count("\n", 0, found.start()) + 1, found[1]) for found in SHOWN.finditer(text)]
    for pattern in ELSEWHERE:
        text = re.sub(pattern, _blank, text, flags=re.MULTILINE | re.DOTALL)
    pieces.append((1, text))
    for start, piece in pieces:
        for pattern in ELSEWHERE[-5:]:
            piece = re.sub(pattern, _blank, piece, flags=re.MULTILINE)
        for found in NUMBER.finditer(piece):
            around = piece[max(0, found.start() - 60) : found.end() + 40].replace("\n", " ").strip()
            yield start + piece.count("\n", 0, found.start()), found[0], around
