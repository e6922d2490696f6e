"""How large the tensors are that a piece of code makes."""

from collections.abc import Callable
from typing import Any

from torch import Tensor
from torch.overrides import TorchFunctionMode


class _Largest(TorchFunctionMode):
    def __init__(self):
        super().__init__()
        self.numbers = 0

    def __torch_function__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        for each in result if isinstance(result, tuple | list) else (result,):
            if isinstance(each, Tensor):
                self.numbers = max(self.numbers, each.numel())
        return result


def largest_tensor(function: Callable, *arguments: Any) -> tuple[Any, int]:
    """Call a function and count the numbers in the largest tensor that a torch function returned to its code.

    Where a class is graded, the function runs in another process; `course_grader.sharing.sizes` brings the count.

    Args:
        function: what is called.
        *arguments: passed on.

    Returns:
        What the function returned, and the count.
    """
    with _Largest() as seen:
        result = function(*arguments)
    return result, seen.numbers
