"""How large the tensors are that an answer makes."""

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


def largest_tensor(answer: Callable, *inputs: Any) -> int:
    """Call an answer, and count the numbers in the largest tensor that a torch function returned to its code.

    Where a class is graded, the answer runs in another process; `course_grader.sharing.sizes` brings the count.
    """
    with _Largest() as seen:
        answer(*inputs)
    return seen.numbers
