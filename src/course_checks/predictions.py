"""Predictions, made before the run: a word for each question."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from course_checks.words import fail, passed, some

WORDS = ("rises", "stays", "falls")
_known: list["Predictions"] = []


class Predictions:
    """A dictionary of guesses that an experiment answers.

    Args:
        questions: its keys.
        measure: measures the right words, in the order of the questions.
        answered_in: the task that measures it, such as ``"task 4"``.
        words: what may be answered.
    """

    name = "predictions"  # in the notebook

    def __init__(
        self,
        questions: Sequence[str],
        measure: Callable[[], Sequence[str]],
        answered_in: str,
        words: Sequence[str] = WORDS,
    ):
        self.questions, self.measure, self.answered_in = tuple(questions), measure, answered_in
        self.words = tuple(words)
        _known.append(self)

    @cached_property
    def answers(self) -> tuple[str, ...]:
        """The right words, measured once."""
        return tuple(self.measure())

    def check(self, predictions: Mapping[str, str]) -> None:
        """Check that there is a word for every question; not whether it is right.

        Raises:
            CheckFailed: if a word is missing or misspelt.
        """
        self._require_words(predictions)
        passed(self.name, f"you have made your guess; {self.answered_in} measures it")

    def _require_words(self, predictions: Mapping[str, str]) -> None:
        given = predictions if type(predictions) is dict else {}
        open_questions = [each for each in self.questions if str(given.get(each)) not in self.words]
        if open_questions or len(given) != len(self.questions):
            strange = [key for key in given if key not in self.questions]
            seen = f"no answer yet, or none of the words, for {some([*map(repr, open_questions)], 4)}"
            wrong = [repr(given[each]) for each in open_questions if given.get(each)]
            seen += f": {some(wrong, 4)} is not one of them" if wrong else ""
            if strange or type(predictions) is not dict:
                seen = f"{predictions!r}"[:200]
            fail(
                self.name,
                "your guesses",
                seen,
                f"a dictionary with the keys {', '.join(map(repr, self.questions))}, each with one of the words "
                f"{', '.join(map(repr, self.words))}",
                "an answer is missing or misspelt",
                "take the commented line of the cell, and fill in the words",
            )

    def grade(self, predictions: Mapping[str, str]) -> None:
        """Compare with the measurement.

        Raises:
            CheckFailed: at the first question that the measurement answers in another way.
        """
        self._require_words(predictions)
        for question, measured in zip(self.questions, self.answers, strict=True):
            if str(predictions[question]) != measured:
                fail(
                    self.name,
                    f"the question {question!r}",
                    f"your prediction is {predictions[question]!r}",
                    "what the measurement says",
                    "a guess that the experiment does not bear out, which is what predictions are for",
                    f"run {self.answered_in}, read what it says of this question, and put that word here",
                )
        passed(self.name, "the measurement agrees with what stands there")


def tendency(first: float, last: float, tolerance: float = 0.1) -> str:
    """Say in one of `WORDS` how a positive quantity changed; within the tolerance (a share of it) it stays."""
    change = last / first
    return "stays" if 1 - tolerance < change < 1 + tolerance else "rises" if change > 1 else "falls"


def prepare_to_grade() -> None:
    """Measure what all imported predictions need, so that a grader does it once and not for each submission."""
    for each in _known:
        each.answers  # noqa: B018 (it is kept)
