"""The size of what a submission made, for tests that watch how large tensors get, and how much memory they take."""

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


def memory_watchers() -> list:
    """List the modes of the tests that count memory: those with an attribute ``watches_memory``."""
    modes = [torch._C._get_dispatch_stack_at(place) for place in range(torch._C._len_torch_dispatch_stack())]
    return [mode for mode in modes if getattr(mode, "watches_memory", False)]


def tell_memory(numbers: object) -> None:
    """Tell the modes of the tests what was counted in the submission's process.

    Args:
        numbers: bytes of the peak, of what lives on, of the largest tensor, and of all together, as that process says;
            what is no such list is ignored.
    """
    counts = numbers if type(numbers) is list else []
    if len(counts) == 4 and all(type(each) is int and 0 <= each < _LIMIT for each in counts):
        for mode in memory_watchers():
            mode.heard(*counts)
