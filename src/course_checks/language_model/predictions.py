"""The predictions of exercise 13: what temperature and cut-off do to a distribution."""

import torch

from course_checks.language_model.filter_logits import right
from course_checks.predictions import Predictions, tendency

LOGITS = torch.tensor([[3.0, 2.2, 1.6, 1.0, 0.5, 0.1, -0.4, -1.0, -1.5, -2.2]], dtype=torch.float64)


def _kept(top_k, top_p, temperature):
    return (right(LOGITS / temperature, top_k, top_p) > -torch.inf).sum().item()


def _largest(top_p):
    return right(LOGITS, None, top_p).softmax(-1).max().item()


def _measure():
    return [
        tendency(_kept(5, None, 1.0), _kept(5, None, 2.0)),
        tendency(_kept(None, 0.8, 1.0), _kept(None, 0.8, 2.0)),
        tendency(_largest(0.9), _largest(0.6)),
        tendency(_kept(None, 0.8, 1.0), _kept(3, 0.8, 1.0)),
    ]


predictions = Predictions(
    ("tokens kept by top_k", "tokens kept by top_p", "largest probability", "tokens kept by top_p after top_k"),
    _measure,
    "the cell after task 4",
)
