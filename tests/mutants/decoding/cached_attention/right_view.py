"""Cuts with a view, which is right for a single position, and multiplies with einsum."""

import torch


def cached_attention(attention, x, cache):
    if x.ndim != 3 or x.shape[1] != 1 or x.shape[2] != attention.d_model:
        raise ValueError(f"x: expected one position, got {x.shape}")
    batch, heads, d_k = len(x), attention.num_heads, attention.d_k
    empty = x.new_zeros(batch, heads, 0, d_k)
    old_key, old_value = (empty, empty) if cache is None else cache
    for part in (old_key, old_value):
        if part.ndim != 4 or part.shape[:2] != (batch, heads) or part.shape[3] != d_k or part.shape != old_key.shape:
            raise ValueError(f"cache: does not fit, got {part.shape}")
    query, key, value = (
        layer(x).view(batch, heads, 1, d_k) for layer in (attention.w_query, attention.w_key, attention.w_value)
    )
    key, value = torch.cat((old_key, key), -2), torch.cat((old_value, value), -2)
    scores = torch.einsum("bhmd,bhnd->bhmn", query, key) * d_k**-0.5
    mixed = torch.einsum("bhmn,bhnd->bmhd", scores.softmax(-1), value).reshape(batch, 1, -1)
    return attention.w_output(mixed), (key, value)
