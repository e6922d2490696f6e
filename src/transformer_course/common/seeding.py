"""One seed for every source of randomness."""

import random

import numpy as np
import torch


def seed_everything(seed: int) -> torch.Generator:
    """Seed Python, NumPy and torch.

    Args:
        seed: any integer from 0 to 2**32 - 1.

    Returns:
        A torch generator on the CPU with the same seed, for functions that take one.
    """
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002 (libraries that we call draw from it)
    torch.manual_seed(seed)
    return torch.Generator().manual_seed(seed)
