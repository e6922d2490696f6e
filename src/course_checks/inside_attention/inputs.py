"""What several tasks of exercise 12 are tried on: maps of attention."""

from collections.abc import Callable

import torch
from torch import Tensor

from course_checks.cases import Draw

UNIT = "inside_attention"


def maps(*shape: int, hidden: bool = False, dtype: torch.dtype = torch.float64) -> Callable[[Draw], tuple[Tensor]]:
    """Draw weights whose rows sum to 1; hidden: each query sees itself and what comes before it."""

    def make(draw: Draw) -> tuple[Tensor]:
        scores = draw(*shape, dtype=torch.float64)
        if hidden:
            scores = scores.masked_fill(~torch.ones(shape[-2:], dtype=torch.bool).tril(), -torch.inf)
        return (torch.softmax(scores, -1).to(dtype),)

    return make
