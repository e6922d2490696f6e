"""Calls torch's attention on the heads."""

from torch.nn import functional as F


def mended_heads(query, key, value, num_heads):
    parts = (x.unflatten(-1, (num_heads, -1)).transpose(1, 2) for x in (query, key, value))
    return F.scaled_dot_product_attention(*parts).transpose(1, 2).flatten(2)
