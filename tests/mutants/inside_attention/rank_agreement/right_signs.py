"""Multiplies two tables of signs."""

import torch


def rank_agreement(first, second):
    if len(first) != len(second) or len(first) < 2:
        raise ValueError("second: expected as many numbers as in first, 2 at least")
    tables = [torch.tensor(each, dtype=torch.float64) for each in (first, second)]
    signs = [torch.sign(each.unsqueeze(1) - each) for each in tables]
    number = len(first)
    return ((signs[0] * signs[1]).sum() / (number * (number - 1))).item()
