"""The size of what a submission made, for tests that watch how large tensors get."""

import torch
from torch.overrides import has_torch_function

_LIMIT = 2**40


def are_watched() -> bool:
    """Say whether a function mode of the tests watches what torch returns."""
    return has_torch_function((None,))  # None has none: so it says whether there is a mode


def make_again(numbers: object) -> None:
    """Make a tensor as large as the largest one of a call, for a function mode of the tests; it takes no memory.

    Args:
        numbers: how many numbers it held, as the submission's process says; what is no such number is ignored.
    """
    if type(numbers) is int and 0 < numbers < _LIMIT and are_watched():
        torch.empty(numbers, device="meta")
