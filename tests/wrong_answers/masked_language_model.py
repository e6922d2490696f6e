"""Wrong answers, written otherwise than those that the checks hold: exercise 14."""

import torch


def mean_pool__padding_counts(hidden, mask):
    """divided by the length of the batch"""
    return torch.einsum("bld,bl->bd", hidden.where(mask[..., None], 0), mask.to(hidden)) / max(hidden.shape[1], 1)


def mean_pool__largest(hidden, mask):
    """the largest number over the words"""
    seen = torch.where(mask.unsqueeze(-1), hidden, torch.full_like(hidden, -1e30)).amax(1)
    return torch.where(mask.any(1, keepdim=True), seen, torch.zeros_like(seen))
