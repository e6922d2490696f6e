"""Right answers to exercise 05 in unusual forms.

A function belongs to the task that its name begins with, up to two underscores in a row.
"""

import torch

from transformer_course.common.validation import (
    require_at_least_two,
    require_attention,
    require_dimensions,
    require_floating,
    require_like,
    require_positive,
    require_scale,
    require_shape,
)
from transformer_course.scaled_dot_product_attention import softmax


def softmax_jacobian__entries(scores, scale=1.0):
    """Write one column after the other."""
    require_floating("scores", scores)
    require_dimensions("scores", scores, at_least=1)
    require_scale(scale)
    p = softmax(scores / scale)
    n = p.shape[-1]
    columns = []
    for j in range(n):
        same = torch.zeros(n, dtype=p.dtype)
        same[j] = 1.0
        columns.append(p * (same - p[..., j : j + 1]) / scale)
    return torch.stack(columns, -1)


def softmax_jacobian__matrices(scores, scale=1.0):
    """Multiply diag(p) with (1 - rows of p)."""
    require_floating("scores", scores)
    require_dimensions("scores", scores, at_least=1)
    require_scale(scale)
    p = softmax(scores / scale)
    one = torch.eye(p.shape[-1], dtype=p.dtype, device=p.device)
    return torch.diag_embed(p) @ (one - p.unsqueeze(-2).expand(*p.shape, p.shape[-1])) / scale


def softmax_vjp__einsum(weights, grad_weights):
    """Take the two terms of the product apart."""
    require_floating("weights", weights)
    require_dimensions("weights", weights, at_least=1)
    require_like("grad_weights", grad_weights, "weights", weights)
    inner = torch.einsum("...n,...n->...", weights, grad_weights)
    return weights * grad_weights - inner[..., None] * weights


def dot_product_variance__by_hand(d_k, num_samples=10_000, generator=None):
    """Draw both at once, and compute the variance as the mean square deviation."""
    require_positive("d_k", d_k)
    require_at_least_two("num_samples", num_samples)
    pairs = torch.empty(num_samples, 2, d_k).normal_(generator=generator)
    products = torch.linalg.vecdot(pairs[:, 0], pairs[:, 1])
    return float(((products - products.mean()) ** 2).sum() / (num_samples - 1))


def dot_product_variance__loop(d_k, num_samples=10_000, generator=None):
    """Draw one pair after the other, in one pass."""
    require_positive("d_k", d_k)
    require_at_least_two("num_samples", num_samples)
    products = torch.stack(
        [torch.randn(d_k, generator=generator) @ torch.randn(d_k, generator=generator) for _ in range(num_samples)]
    )
    return torch.var(products).item()


def measure_jacobians__one_by_one(n, d_k, divisor, num_samples=300):
    """Write the matrix of each sample as a sum over the keys."""
    sizes, largest = [], []
    for _ in range(num_samples):
        query, keys = torch.randn(d_k), torch.randn(n, d_k)
        p = torch.softmax(keys @ query / divisor, 0)
        matrix = p[:, None] * (keys - p @ keys) / divisor
        sizes.append((matrix**2).sum() ** 0.5)
        largest.append(p.max())
    return torch.stack(sizes), torch.stack(largest)


def attention_backward__einsum(query, key, value, grad_output, scale):
    """Subtract grad_output . output, and never form the average over the keys."""
    require_attention(query, key, value)
    require_shape("grad_output", grad_output, (*query.shape[:-1], value.shape[-1]))
    require_scale(scale)
    p = torch.softmax(torch.einsum("...md,...nd->...mn", query / scale, key), -1)
    delta = (grad_output * (p @ value)).sum(-1, keepdim=True)
    s = p * (torch.einsum("...mv,...nv->...mn", grad_output, value) - delta)
    grad_query = torch.einsum("...mn,...nd->...md", s, key / scale)
    grad_key = torch.einsum("...mn,...md->...nd", s, query / scale)
    return [grad_query, grad_key, torch.einsum("...mn,...mv->...nv", p, grad_output)]


def attention_backward__row_by_row(query, key, value, grad_output, scale):
    """Go through the queries one by one."""
    require_attention(query, key, value)
    require_shape("grad_output", grad_output, (*query.shape[:-1], value.shape[-1]))
    require_scale(scale)
    rows, grad_key, grad_value = [], 0.0, 0.0
    for i in range(query.shape[-2]):
        q, g = query[..., i : i + 1, :], grad_output[..., i : i + 1, :]
        p = torch.softmax(q @ key.mT / scale, -1)
        back = p * (g @ value.mT)
        back = (back - p * back.sum(-1, keepdim=True)) / scale
        rows.append(back @ key)
        grad_key, grad_value = grad_key + back.mT @ q, grad_value + p.mT @ g
    return torch.cat(rows, -2), grad_key, grad_value


def fixed_query_step__scaled_first(query, key, value, target, step_size):
    """Scale the keys once, for both ways."""
    scaled = key / query.shape[-1] ** 0.5
    p = (scaled @ query).softmax(0)
    g = value @ (p @ value - target)
    return query - step_size * ((p * g) @ scaled - (p @ g) * (p @ scaled))
