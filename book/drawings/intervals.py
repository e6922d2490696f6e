"""Intervals for differences between a few seeds."""

import math
from collections.abc import Sequence

import torch


def t_quantile(probability: float, degrees: float) -> float:
    """Say below which number Student's t lies with a probability of at least one half, from its density.

    >>> round(t_quantile(0.975, 5), 3)  # of every printed table
    2.571
    """
    t = torch.linspace(0, 200, 2_000_001, dtype=torch.float64)
    factor = math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2) - math.log(degrees * math.pi) / 2
    density = (1 + t.square() / degrees) ** (-(degrees + 1) / 2) * math.exp(factor)
    below = 0.5 + torch.cumulative_trapezoid(density, t)
    return t[1:][torch.searchsorted(below, probability)].item()


def welch(one: Sequence[float], other: Sequence[float], error: float = 0.05) -> tuple[float, float, float]:
    """Compare the means of two rows of runs whose variances may differ.

    Source: Welch (1947), "The Generalization of Student's Problem when Several Different Population Variances Are
    Involved". For several intervals that are to hold together, divide the error by their number (Bonferroni).

    Args:
        one: results of two or more runs.
        other: likewise, perhaps of another number.
        error: how often the interval may miss the true difference.

    Returns:
        The difference of the means, one minus other, and the two ends of its interval.
    """
    rows = [torch.tensor(row, dtype=torch.float64) for row in (one, other)]
    variances = [row.var().item() / len(row) for row in rows]  # of the two means
    degrees = sum(variances) ** 2 / sum(v**2 / (len(row) - 1) for v, row in zip(variances, rows, strict=True))
    difference = (rows[0].mean() - rows[1].mean()).item()
    half = math.sqrt(sum(variances)) * t_quantile(1 - error / 2, degrees)
    return difference, difference - half, difference + half
