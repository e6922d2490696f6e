"""How many bits a computation needs."""

import torch
from torch import Tensor


def at_least_float32(x: Tensor) -> Tensor:
    """Give half precision the range to be squared in: the square of 256 is beyond the largest number of float16."""
    return x.to(torch.promote_types(x.dtype, torch.float32))
