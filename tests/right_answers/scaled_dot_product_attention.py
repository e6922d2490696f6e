"""Right answers to exercise 04 in unusual forms: other orders of the same steps, loops, einsum.

A function belongs to the task that its name begins with, up to two underscores in a row.
"""

import math

import torch


def softmax__one_row_at_a_time(scores):
    """Go through the rows with a loop."""
    from transformer_course.common.validation import require_dimensions, require_floating

    require_floating("scores", scores)
    require_dimensions("scores", scores, at_least=1)
    rows = []
    for row in scores.reshape(-1, scores.shape[-1]):
        finite = row > -math.inf
        if not finite.any():
            rows.append(torch.zeros_like(row))
            continue
        powers = torch.where(finite, (row.masked_fill(~finite, 0.0) - row[finite].max()).exp(), torch.zeros_like(row))
        rows.append(powers / powers.sum())
    return torch.stack(rows).view_as(scores) if rows else scores.clone()


def softmax__logsumexp(scores):
    """Subtract the logarithm of the sum."""
    from transformer_course.common.validation import require_dimensions, require_floating

    require_floating("scores", scores)
    require_dimensions("scores", scores, at_least=1)
    empty = (scores == -math.inf).all(-1, keepdim=True)
    safe = scores.masked_fill(empty, 0.0)
    return (safe - safe.logsumexp(-1, keepdim=True)).exp().masked_fill(empty, 0.0)


def attention_weights__einsum(query, key):
    """Scale the query, and multiply with einsum."""
    from transformer_course.common.validation import require_attention

    require_attention(query, key)
    scores = torch.einsum("...md,...nd->...mn", query / query.shape[-1] ** 0.5, key)
    return scores.softmax(-1)


def attention_weights__both_scaled(query, key):
    """Divide both factors by the fourth root."""
    from transformer_course.common.validation import require_attention

    require_attention(query, key)
    root = query.shape[-1] ** 0.25
    return torch.softmax((query / root) @ (key / root).mT, dim=-1)


def mean_largest_weight__loop(d_k, divisor):
    """Draw one query after the other."""
    largest = []
    for _ in range(1000):
        query, keys = torch.randn(d_k), torch.randn(16, d_k)
        largest.append(float(torch.softmax(keys @ query / divisor, 0).max()))
    return sum(largest) / len(largest)


def scaled_dot_product_attention__nan_replaced(query, key, value, mask=None):
    """Let the row without keys become NaN, and replace it."""
    from transformer_course.common.validation import require_attention

    require_attention(query, key, value, mask)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, -1).nan_to_num(0.0)
    return weights @ value, weights


def scaled_dot_product_attention__exponentials_masked(query, key, value, mask=None):
    """Mask the exponentials, and divide by what is left."""
    from transformer_course.common.validation import require_attention

    require_attention(query, key, value, mask)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    allowed = torch.ones_like(scores, dtype=torch.bool) if mask is None else mask.expand_as(scores)
    lowest = torch.finfo(scores.dtype).min
    highest = scores.detach().masked_fill(~allowed, lowest).amax(-1, keepdim=True)
    powers = torch.where(allowed, scores - highest, lowest).exp() * allowed
    total = powers.sum(-1, keepdim=True)
    weights = powers / torch.where(total == 0, 1.0, total)
    return torch.einsum("...mn,...nd->...md", weights, value.expand(*weights.shape[:-2], *value.shape[-2:])), weights


def fixed_attention__scaled_query(query, key, value, mask=None):
    """Scale the query, and add minus infinity."""
    scores = query / query.shape[-1] ** 0.5 @ key.mT
    if mask is not None:
        scores = scores + torch.zeros_like(scores).masked_fill(mask.logical_not(), -math.inf)
    weights = scores.softmax(-1)
    return torch.matmul(weights, value), weights


def fixed_attention__divided_again(query, key, value, mask=None):
    """Leave the mask where it was, and divide what it leaves by its sum."""
    weights = (query @ key.mT / query.shape[-1] ** 0.5).softmax(-1)
    if mask is not None:
        weights = weights * mask
        weights = weights / weights.sum(-1, keepdim=True)
    return weights @ value, weights


def softmax__stacked_rows(scores):
    """Stack the rows, of which there must be one at least."""
    from transformer_course.common.validation import require_dimensions, require_floating

    require_floating("scores", scores)
    require_dimensions("scores", scores, at_least=1)
    if scores.dim() > 1:
        return torch.stack([softmax__stacked_rows(row) for row in scores])
    if not (scores > -math.inf).any():
        return torch.zeros_like(scores)
    powers = (scores - scores.max()).exp()
    return powers / powers.sum()
