"""The predictions of exercise 18: what an RMS norm, a rotation, a group and a gate change."""

import torch

from course_checks.modern_transformer.rms_norm import right as normalised
from course_checks.modern_transformer.rotate import right as rotated
from course_checks.predictions import Predictions, tendency

X = torch.tensor([[0.5, -1.0, 2.0, 0.25, -0.75, 1.5]], dtype=torch.float64)
ONES = torch.ones(6, dtype=torch.float64)


def _score(query_at: int, key_at: int) -> float:
    query, key = (rotated(x, torch.tensor([at])) for x, at in ((X, query_at), (X.flip(-1) + 1, key_at)))
    return float((query * key).sum())


def _measure() -> list[str]:
    d, heads, groups = 96, 8, 2
    return [
        tendency(float(normalised(X, ONES).norm()), float(normalised(10 * X, ONES).norm())),
        tendency(float(normalised(X, ONES).mean()), float(normalised(X + 3, ONES).mean())),
        tendency(_score(7, 5), _score(57, 55)),
        tendency(2 * heads * (d // heads), 2 * groups * (d // heads)),
        tendency(2 * d * 4 * d, 3 * d * (8 * d // 3)),
    ]


predictions = Predictions(
    (
        "size of what comes out",
        "mean of what comes out",
        "score of query and key",
        "numbers in the cache",
        "weights of the network",
    ),
    _measure,
    "the last cell of task 5",
)
