"""Cells and scores with random weights, which a learner's code of exercise 03 calls."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from course_checks.cases import Draw


def toy_cell(
    draw: Draw, d: int, d_hidden: int, dtype: torch.dtype = torch.float64
) -> Callable[[Tensor, Tensor], Tensor]:
    """Make a gated cell ``cell(x, hidden) -> hidden``, strict about the shapes of both."""
    weights = [draw(3 * d_hidden, *size, dtype=dtype, scale=0.7) for size in ((d,), (d_hidden,), (), ())]

    def cell(x: Tensor, hidden: Tensor) -> Tensor:
        return torch.gru_cell(x, hidden, *weights)

    return cell


def toy_score(draw: Draw, d_query: int, d_keys: int) -> Callable[[Tensor, Tensor], Tensor]:
    """Make a score ``score(query, keys) -> (batch, length)``."""
    from_query, from_keys = draw(d_query, 5, dtype=torch.float64), draw(d_keys, 5, dtype=torch.float64)

    def score(query: Tensor, keys: Tensor) -> Tensor:
        return 2 * torch.tanh((query @ from_query).unsqueeze(1) + keys @ from_keys).sum(-1)

    return score


def decoder_inputs(
    lengths: list[int], target_length: int, source_length: int, d: int, d_memory: int, d_hidden: int,
    draw: Draw | None = None,
) -> tuple[Any, ...]:  # fmt: skip
    """Make target words, a first state, a memory (0 at padding), its mask, a cell and a score, in float64.

    Args:
        lengths: how many source words of each sentence are real.
        target_length: words that are read.
        source_length: words in the memory, with padding.
        d: width of a word.
        d_memory: width of a state of the memory.
        d_hidden: width of the decoder's state.
        draw: gives the numbers.
    """
    draw, batch, dtype = draw or Draw("decoder"), len(lengths), torch.float64
    mask = torch.arange(source_length) < torch.tensor(lengths).unsqueeze(1)
    return (
        draw(batch, target_length, d, dtype=dtype),
        draw(batch, d_hidden, dtype=dtype),
        draw(batch, source_length, d_memory, dtype=dtype).masked_fill(~mask.unsqueeze(-1), 0.0),
        mask,
        toy_cell(draw, d + d_memory, d_hidden),
        toy_score(draw, d_hidden, d_memory),
    )
