"""The live figure of chapter 17: softmax and attention, one block of keys after the other."""

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from drawings.live_figure import LiveFigure, number, rounded, words


def running_softmax(
    scores: Tensor | Sequence[float],
    values: Tensor | Sequence[float],
    labels: Sequence[str] | None = None,
    block_size: int = 2,
) -> LiveFigure:
    """Show how the largest score, the sum and the output change with each block of keys.

    Source: Milakov and Gimelshein (2018), "Online normalizer calculation for softmax", algorithm 3, for the largest
    score and the sum; the output is the attention to the keys of the blocks so far.

    Args:
        scores: ``(key_length,)``, of one query.
        values: ``(key_length,)``, one number for each key.
        labels: one word for each key; without them k1, k2 and so on.
        block_size: keys of a block at the beginning.

    Returns:
        The figure; numbers are rounded to four digits.

    Raises:
        ValueError: if scores and values do not fit, a number is not finite, or block_size is out of range.
    """
    scores, values = rounded("scores", scores, 1), rounded("values", values, 1)
    if scores.shape != values.shape or not len(scores):
        raise ValueError(f"values: expected {len(scores)} as in scores, and at least one, got {len(values)}")
    labels = words("labels", labels, len(scores), "k")
    if not 1 <= block_size <= len(scores):
        raise ValueError(f"block_size: expected 1 to {len(scores)}, got {block_size}")
    rows, before = [], -math.inf
    for stop in range(block_size, len(scores) + block_size, block_size):
        seen = scores[:stop]
        highest = seen.max()
        output = torch.softmax(seen, 0) @ values[:stop]
        rows.append(
            (
                " ".join(labels[stop - block_size : stop]),
                number(highest.item(), 2),
                number(math.exp(before - highest), 3),
                number((seen - highest).exp().sum().item(), 3),
                number(output.item(), 3),
            )
        )
        before = highest.item()
    return LiveFigure(
        "running-softmax",
        "Softmax, block by block",
        {"scores": scores.tolist(), "values": values.tolist(), "labels": labels, "block": block_size},
        ("block", "largest so far, ŝ", "factor of the old sum", "sum, Z", "output, o"),
        rows,
        "The output of the last row is the attention to all keys at once.",
    )
