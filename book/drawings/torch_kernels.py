"""Which of its kernels torch takes for attention, found out by looking at what it calls: chapter 17."""

from collections.abc import Callable
from typing import Any

from torch.utils._python_dispatch import TorchDispatchMode


class _Called(TorchDispatchMode):
    """Keep the names of all operations that torch calls inside a ``with``."""

    def __init__(self):
        super().__init__()
        self.names: list[str] = []

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False  # or torch would load its compiler, which takes seconds

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.names.append(func.name())
        return func(*args, **(kwargs or {}))


def kernel_of(compute: Callable[[], Any]) -> str:
    """Say by which kernel attention is computed.

    Args:
        compute: a call of attention without arguments, such as ``lambda: F.scaled_dot_product_attention(q, k, v)``.

    Returns:
        "flash", "efficient", "cudnn", "native" (the fast path of ``nn.MultiheadAttention`` for inference), or "math",
        which is products, softmax and products with all weights in memory; "none" if there is no softmax at all.

    >>> import torch
    >>> x = torch.ones(1, 1, 4, 8)
    >>> kernel_of(lambda: (x @ x.mT).softmax(-1) @ x)
    'math'
    """
    with _Called() as called:
        compute()
    for kernel in ("flash", "efficient", "cudnn"):
        if any(f"{kernel}_attention" in name for name in called.names):
            return kernel
    if any("native_multi_head_attention" in name for name in called.names):
        return "native"
    return "math" if any("softmax" in name for name in called.names) else "none"
