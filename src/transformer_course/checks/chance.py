"""Checks of what was drawn at random: how far chance may go, without anybody's seed."""

import math

import torch
from torch import Tensor

# One right answer in a billion is taken for a wrong one.
FALSE_ALARM = 1e-9


def same_distribution(observed: Tensor, reference: Tensor, false_alarm: float = FALSE_ALARM) -> bool:
    """Say whether two samples can come from one distribution, whatever it is (Kolmogorov and Smirnov's test).

    Args:
        observed: ``(samples,)``.
        reference: ``(other_samples,)``, the more the sharper.
        false_alarm: how often two samples of one distribution may be told apart.

    Returns:
        Whether the largest distance of the two empirical distribution functions is within what chance allows.
    """
    observed, reference = observed.detach().double(), reference.detach().double()
    if observed.isnan().any():
        return False
    places = torch.cat([observed, reference])
    below = [
        torch.searchsorted(each.sort().values, places, right=True).double() / len(each)
        for each in (observed, reference)
    ]
    allowed = math.sqrt(-0.5 * math.log(false_alarm / 2) * (1 / len(observed) + 1 / len(reference)))
    return bool((below[0] - below[1]).abs().max() <= allowed)
