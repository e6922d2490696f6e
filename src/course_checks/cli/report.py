"""What was found of an implementation, and how it is printed."""

import re
import textwrap
from dataclasses import dataclass, field

from course_checks.words import CheckFailed

COLUMNS = 80  # of a terminal, and of a page of the book

# What only somebody who does the exercises understands, in words for everybody.
_OF_THE_COURSE = {
    r"\b(in|of) exercise 04\b": r"\1 `scaled_dot_product_attention`",
    r"\bexercise (\d\d)\b": r"exercise \1 of the course",
    r"`masked_softmax` gives such a row zeros": "such a row gets zeros",
    r"^call your `rotate`$": "pair neighbouring columns, as `course-check 18:rotate` says",
    r", is not imported, or is defined in a cell that was not run": " or not imported",
    r"the first version of the cell": "the signature",
}


def for_everybody(parts: dict[str, str]) -> dict[str, str]:
    """Say the parts of a message without the words of the course."""
    said = dict(parts)
    for pattern, words in _OF_THE_COURSE.items():
        said = {name: re.sub(pattern, words, text) for name, text in said.items()}
    return said


@dataclass
class Report:
    """What was found of an implementation.

    Args:
        name: of the task.
        right: whether it is right; cases at the border, which the course asks for and not everybody, do not count.
        forms: in which it is written otherwise, in words: names, the output alone, float32 on the way.
        conventions: in which it means something else than the course, in words.
        passed: what is right, in words; under these conventions.
        message: what is not: situation, observed, expected, likely cause, and what to try.
        rare: the same of a case at the border.
    """

    name: str
    right: bool = False
    forms: list[str] = field(default_factory=list)
    conventions: list[str] = field(default_factory=list)
    passed: list[str] = field(default_factory=list)
    message: dict[str, str] | None = None
    rare: dict[str, str] | None = None

    def __str__(self) -> str:
        lines = [f"note    {self.name}: another form than the course's: {each}" for each in self.forms]
        lines += [
            f"note    {self.name}: another convention than the course's, right if it is meant: {each}"
            for each in self.conventions
        ]
        lines += [f"passed  {self.name}: {each}" for each in self.passed]
        if self.rare:
            lines += ["", "Right, but for a case at the border, which the course asks for:"]
        if self.message or self.rare:
            lines += ["", *str(CheckFailed(**(self.message or self.rare))).splitlines()]
        return "\n".join(map(_filled, lines))


def _filled(line: str) -> str:
    """Break a line so that the words of a part stand below each other, and no equation is torn."""
    under = " " * (17 if line.startswith("  ") else 8)
    whole = line.replace(" = ", "\u00a0=\u00a0")
    text = textwrap.fill(whole, COLUMNS, subsequent_indent=under, break_long_words=False, break_on_hyphens=False)
    return text.replace("\u00a0", " ")
