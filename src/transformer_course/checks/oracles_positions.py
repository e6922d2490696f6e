"""What is right about positions, by turning pointers (complex numbers): the oracle of exercise 08."""

import torch
from torch import Tensor
from torch.nn import functional as F

from transformer_course.checks.oracles import right_output


def frequencies(d_model: int) -> Tensor:
    """Say by how many radians one position turns each column pair, in float64: ``(pairs,)``."""
    return 10_000.0 ** -(torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)


def right_encoding(length: int, d_model: int) -> Tensor:
    """Compute the encoding as imaginary and real part of turning pointers, in the default dtype."""
    angles = torch.outer(torch.arange(length, dtype=torch.float64), frequencies(d_model))
    pointers = torch.view_as_real(torch.polar(torch.ones_like(angles), angles)).flip(-1)  # (length, pairs, 2)
    return pointers.flatten(1)[:, :d_model].to(torch.get_default_dtype())


def right_shift(offset: int, d_model: int) -> Tensor:
    """Write the turn of each pair as a block of two by two, in the default dtype: ``(d_model, d_model)``."""
    blocks = [torch.stack([t.cos(), t.sin(), -t.sin(), t.cos()]).view(2, 2) for t in frequencies(d_model) * offset]
    return torch.block_diag(*blocks).to(torch.get_default_dtype())


def right_embedding(tokens: Tensor, table: Tensor, encoding: Tensor, start: int = 0, pad_id: int = -1) -> Tensor:
    """Look up, scale, and add one row of the encoding to each place: ``(batch, length, d_model)``."""
    looked_up = F.embedding(tokens, table, padding_idx=pad_id if pad_id >= 0 else None) * table.shape[1] ** 0.5
    return torch.stack([looked_up[:, place] + encoding[start + place] for place in range(tokens.shape[1])], 1)


def right_gap(x: Tensor, order: list[int], encoding: Tensor | None = None) -> float:
    """Measure how far attention to reordered words is from the reordered outputs of attention."""
    added = 0.0 if encoding is None else encoding
    before, after = (right_output(*[words + added] * 3) for words in (x, x[order]))
    return float((before[order] - after).abs().max())


def right_rotation(x: Tensor, start: int = 0) -> Tensor:
    """Turn each column pair by its position, as a product of complex numbers."""
    positions = torch.arange(start, start + x.shape[-2], dtype=torch.float64)
    angles = torch.outer(positions, frequencies(x.shape[-1]))
    pointers = torch.view_as_complex(x.double().unflatten(-1, (-1, 2)).contiguous())
    turned = pointers * torch.polar(torch.ones_like(angles), angles)
    return torch.view_as_real(turned).flatten(-2).to(x.dtype)
