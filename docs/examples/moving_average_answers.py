"""Three answers to the task of moving_average_check.py."""

import torch


def two_mistakes(x, width):
    """Lose the last window, and forget to divide."""
    starts = range(len(x) - width)
    return torch.stack([x[i : i + width].sum() for i in starts])


def nobody_listed(x, width):
    """Divide by something else."""
    starts = range(len(x) - width + 1)
    total = torch.stack([x[i : i + width].sum() for i in starts])
    return total / (width - 1)


def right(x, width):
    """Take differences of running sums."""
    sums = torch.cat([x.new_zeros(1), x.cumsum(0)])
    return (sums[width:] - sums[:-width]) / width
