"""Wrong answers, written otherwise than those that the checks hold: exercise 17."""

import math

import torch


def sliding_window_mask__loop(length, window, causal=True, device=None):
    """the window holds the position itself and `window` others"""
    mask = torch.zeros(length, length, dtype=torch.bool, device=device)
    for query in range(length):
        for key in range(length):
            back = query - key
            mask[query, key] = 0 <= back <= window if causal else abs(back) <= window
    return mask


def grouped_query_attention__repeat(query, key, value, mask=None):
    """groups are dealt out in turn"""
    times = query.shape[1] // key.shape[1]
    key, value = torch.cat([key] * times, 1), torch.cat([value] * times, 1)
    scores = torch.einsum("bhmd,bhnd->bhmn", query, key) / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = torch.where(mask, scores, torch.full_like(scores, -math.inf))
    return torch.einsum("bhmn,bhnv->bhmv", torch.softmax(scores, -1).nan_to_num(0.0), value)


def cache_bytes__keys_alone(length, num_layers, num_groups, d_k, bytes_per_number=2, window=None):
    """only the keys are counted"""
    seen = length if window is None or window > length else window
    return math.prod((seen, num_layers, num_groups, d_k, bytes_per_number))


def sliding_window_mask__slices(length, window, causal=True, device=None):
    """counts such a number from the end"""
    rows = torch.zeros(length, length, dtype=torch.bool, device=device)
    for place, row in enumerate(rows):
        row[place - window + 1 : place + (1 if causal else window)] = True
    return rows
