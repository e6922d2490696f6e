"""What the tasks of exercise 17 share."""

import torch
from torch import Tensor
from torch.nn import functional as F

UNIT = "efficient_attention"
READY_MADE = ("scaled_dot_product", "multi_head_attention", "flex_attention")


def plain(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> Tensor:
    """Ask torch; a query that may attend to nothing is computed without a mask, and then set to 0."""
    if key.shape[-2] == 0:
        leading = torch.broadcast_shapes(query.shape[:-2], key.shape[:-2], value.shape[:-2])
        return value.new_zeros(*leading, query.shape[-2], value.shape[-1])
    if mask is None:
        return F.scaled_dot_product_attention(query, key, value)
    leading = torch.broadcast_shapes(query.shape[:-2], key.shape[:-2])
    mask = mask.expand(*leading, query.shape[-2], key.shape[-2])
    empty = ~mask.any(-1, keepdim=True)
    return F.scaled_dot_product_attention(query, key, value, attn_mask=mask | empty).masked_fill(empty, 0.0)
