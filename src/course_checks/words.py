"""What a check says: one line for what is right, four parts for what is not.

A message says what was observed, what was expected in words, the likely cause, and one thing to try. It never holds
the expected numbers. In a notebook the words stand on a card (`course_checks.card`).
"""

from dataclasses import dataclass
from typing import NoReturn

from course_checks import card


class CheckFailed(AssertionError):
    """A check that did not pass. Jupyter shows its message alone, without the stack of calls inside the check.

    Args:
        name: of the task.
        situation: in which it did not pass.
        observed: what was seen.
        expected: what should have been, in words.
        cause: the likely cause.
        hint: one thing to try.
    """

    def __init__(self, name: str, situation: str, observed: str, expected: str, cause: str, hint: str):
        self.parts = {"name": name, "situation": situation, "observed": observed, "expected": expected, "cause": cause,
                      "hint": hint}  # fmt: skip
        self._is_shown = False
        super().__init__(
            f"{name}: {situation}\n"
            f"  observed:      {observed}\n"
            f"  expected:      {expected}\n"
            f"  likely cause:  {cause}\n"
            f"  try:           {hint}"
        )

    def _render_traceback_(self) -> list[str]:
        if not card.in_notebook():
            return str(self).splitlines()
        if not self._is_shown:  # IPython asks twice
            card.show_failed(self.parts, str(self))
            self._is_shown = True
        return [f"{self.parts['name']}: not passed"]


@dataclass(frozen=True)
class Wrong:
    """The words for one mistake.

    Args:
        cause: what the author of such an answer has done, in words; together with a second mistake it must still read
            well, so it is a clause without a full stop.
        sees: what is to be seen in the result; where it is empty, the check describes the difference itself.
        hint: one thing to try, never the answer.
    """

    cause: str
    sees: str = ""
    hint: str = ""


class Finding(Exception):
    """Something that is wrong and says so itself, without a comparison: raised by whatever looks at an answer.

    Args:
        observed: what was seen.
        expected: what should have been, in words; empty takes the words of the requirement.
        cause: the likely cause.
        hint: one thing to try.
        final: no wrong answer can explain it better, as for a function that is not allowed.
    """

    def __init__(self, observed: str, expected: str = "", cause: str = "", hint: str = "", final: bool = False):
        super().__init__(observed)
        self.observed, self.expected, self.cause, self.hint, self.final = observed, expected, cause, hint, final


def some(names: list[str], number: int = 3) -> str:
    """List names: so many, and how many more there are."""
    more = f", and {len(names) - number} more" if len(names) > number else ""
    return ", ".join(names[:number]) + more


def passed(name: str, what: str) -> None:
    """Print the one line of something that is right."""
    if card.in_notebook():
        card.show_passed(name, what)
    else:
        print(f"passed  {name}: {what}")


def fail(name: str, situation: str, observed: str, expected: str, cause: str, hint: str) -> NoReturn:
    """Raise `CheckFailed` with the four parts of a message."""
    raise CheckFailed(name, situation, observed, expected, cause, hint)
