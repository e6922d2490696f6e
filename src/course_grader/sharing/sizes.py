"""The size of what a submission made, for tests that watch how large tensors get."""

import torch

_LIMIT = 2**40


def make_again(numbers: object) -> None:
    """Make a tensor as large as the largest one of a call, for a function mode of the tests; it takes no memory.

    Args:
        numbers: how many numbers it held, as the submission's process says; what is no such number is ignored.
    """
    if type(numbers) is int and 0 < numbers < _LIMIT and torch._C._len_torch_function_stack() > 0:
        torch.empty(numbers, device="meta")
