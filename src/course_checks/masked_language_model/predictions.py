"""The predictions of exercise 14: what the scores of all sentences of a language add up to."""

import math

import torch

from course_checks.masked_language_model.models import TableReader
from course_checks.masked_language_model.pseudo_log_likelihood import right
from course_checks.predictions import Predictions

LANGUAGES = {
    "two words that know nothing of each other": [[0.42, 0.18], [0.28, 0.12]],
    "the second word repeats the first": [[0.5, 0.0], [0.0, 0.5]],
    "the second word is mostly the other one": [[0.1, 0.4], [0.4, 0.1]],
}
SENTENCES = torch.tensor([[0, 0], [0, 1], [1, 0], [1, 1]])


def sum_of_scores(joint: list[list[float]]) -> str:
    """Say what the scores of the sentences that are spoken add up to."""
    model = TableReader(torch.tensor(joint, dtype=torch.float64))
    spoken = SENTENCES[torch.tensor(joint).flatten() > 0]
    total = right(model, spoken, 2).exp().sum().item()
    return "1" if math.isclose(total, 1, abs_tol=1e-6) else "above 1" if total > 1 else "below 1"


def _measure():
    return [sum_of_scores(joint) for joint in LANGUAGES.values()]


predictions = Predictions(tuple(LANGUAGES), _measure, "the cell after task 5", ("below 1", "1", "above 1"))
