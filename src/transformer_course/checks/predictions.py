"""Predictions, made before the run: whether they are there, not whether they are right."""

from collections.abc import Mapping, Sequence

from transformer_course.checks.reporting import fail, passed


def require_predictions(
    predictions: Mapping[str, str], questions: Sequence[str], words: Sequence[str], answered_in: str
) -> None:
    """Require one of the words for every question.

    Args:
        predictions: what the learner wrote, a dictionary.
        questions: its keys.
        words: what may be answered.
        answered_in: the task that measures it, such as ``"task 4"``.

    Raises:
        CheckFailed: if an answer is missing or misspelt.
    """
    complete = type(predictions) is dict and set(predictions) == set(questions)
    if not complete or not all(type(word) is str and word in words for word in predictions.values()):
        fail(
            "predictions",
            "the answers",
            f"{predictions!r}"[:200],
            f"a dictionary with the keys {', '.join(questions)}, each with one of the words {', '.join(words)}",
            "an answer is missing or misspelt",
            "take the commented lines of the cell, and fill in the words",
        )
    passed("predictions", f"you have made your guess; {answered_in} measures it")
