"""Wrong answers, written otherwise than those that the checks hold: exercise 08."""

import numpy as np
import torch


def sinusoidal_encoding__halves(length, d_model):
    """the two halves are concatenated"""
    t = np.arange(length)[:, None] * 10_000.0 ** (-np.arange(0, d_model, 2) / d_model)[None]
    both = np.concatenate([np.sin(t), np.cos(t)], axis=1)[:, :d_model]
    return torch.from_numpy(both).to(torch.get_default_dtype())


def sinusoidal_encoding__doubled(length, d_model):
    """2p is doubled once more"""
    rows = []
    for t in range(length):
        row = []
        for column in range(d_model):
            angle = t / 10_000 ** (2 * (column - column % 2) / d_model)
            row.append(np.cos(angle) if column % 2 else np.sin(angle))
        rows.append(row)
    return torch.tensor(rows, dtype=torch.get_default_dtype()).reshape(length, d_model)


def shift_matrix__whole_exponents(offset, d_model):
    """`//` rounds the exponent"""
    blocks = []
    for pair in range(d_model // 2):
        angle = torch.tensor(offset * 10_000.0 ** (-2 * pair // d_model))
        blocks.append(torch.stack([angle.cos(), angle.sin(), -angle.sin(), angle.cos()]).view(2, 2))
    return torch.block_diag(*blocks)
