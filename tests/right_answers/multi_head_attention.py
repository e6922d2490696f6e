"""Right answers to exercise 07 in unusual forms.

A function belongs to the task that its name begins with, up to two underscores in a row.
"""

import torch
from torch import nn

from transformer_course.common.validation import require_divisor, require_not_negative, require_shape
from transformer_course.scaled_dot_product_attention import scaled_dot_product_attention


def split_heads__slices(x, num_heads):
    """Fill a new tensor head by head."""
    require_shape("x", x, ("batch", "length", "d_model"))
    require_divisor("num_heads", num_heads, "d_model", x.shape[-1])
    d_k = x.shape[-1] // num_heads
    return torch.stack([x[:, :, i * d_k : (i + 1) * d_k] for i in range(num_heads)], dim=1)


def split_heads__unflatten(x, num_heads):
    """Name the two new dimensions."""
    require_shape("x", x, ("batch", "length", "d_model"))
    require_divisor("num_heads", num_heads, "d_model", x.shape[-1])
    return x.unflatten(-1, (num_heads, -1)).swapaxes(1, 2).contiguous()


def merge_heads__cat(x):
    """Write one head after the other."""
    require_shape("x", x, ("batch", "heads", "length", "d_k"))
    return torch.cat([x[:, i] for i in range(x.shape[1])], dim=2)


def merge_heads__einsum(x):
    """Move a dimension with einsum."""
    require_shape("x", x, ("batch", "heads", "length", "d_k"))
    batch, heads, length, d_k = x.shape
    return torch.einsum("bhld->blhd", x).reshape(batch, length, heads * d_k)


def parameter_count__by_heads(d_model, num_heads, bias=True):
    """Sum over the heads."""
    require_divisor("num_heads", num_heads, "d_model", d_model)
    d_k = d_model // num_heads
    one_head = 3 * (d_model * d_k + (d_k if bias else 0)) + d_k * d_model
    return num_heads * one_head + (d_model if bias else 0)


def attention_flops__by_heads(query_length, key_length, d_model, num_heads):
    """Sum over the heads."""
    require_divisor("num_heads", num_heads, "d_model", d_model)
    require_not_negative("query_length", query_length)
    require_not_negative("key_length", key_length)
    d_k, total = d_model // num_heads, query_length * d_model**2
    for _ in range(num_heads):
        total += (query_length + 2 * key_length) * d_model * d_k + 2 * query_length * d_k * key_length
    return total


class MultiHeadAttention__loop(nn.Module):
    """Go through the heads, each with its rows of the weights."""

    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        require_divisor("num_heads", num_heads, "d_model", d_model)
        self.w_output, self.w_value, self.w_key, self.w_query = (nn.Linear(d_model, d_model, bias) for _ in range(4))
        self.num_heads, self.d_model, self.d_k = num_heads, d_model, d_model // num_heads
        self.unused = "an attribute of its own"

    def forward(self, query, key, value, mask=None):
        """Attend."""
        for name, x in (("query", query), ("key", key), ("value", value)):
            require_shape(name, x, ("batch", "length", self.d_model))
        projected = [layer(x) for layer, x in ((self.w_query, query), (self.w_key, key), (self.w_value, value))]
        shape = (len(query), self.num_heads, query.shape[1], key.shape[1])
        mask = None if mask is None else mask.expand(shape)
        outputs, weights = [], []
        for head in range(self.num_heads):
            own = [x[..., head * self.d_k : (head + 1) * self.d_k] for x in projected]
            output, weight = scaled_dot_product_attention(*own, None if mask is None else mask[:, head])
            outputs.append(output)
            weights.append(weight)
        return self.w_output(torch.cat(outputs, -1)), torch.stack(weights, 1)


class MultiHeadAttention__einsum(MultiHeadAttention__loop):
    """Cut and glue with einsum, and leave it to torch to refuse values that are not as many as the keys."""

    def forward(self, query, key, value, mask=None):
        """Attend."""
        for name, x in (("query", query), ("key", key), ("value", value)):
            require_shape(name, x, ("batch", "length", self.d_model))
        q, k, v = (
            layer(x).unflatten(-1, (self.num_heads, self.d_k))
            for layer, x in ((self.w_query, query), (self.w_key, key), (self.w_value, value))
        )
        scores = torch.einsum("bmhd,bnhd->bhmn", q / self.d_k**0.5, k)
        if mask is not None:
            scores = torch.where(mask, scores, -torch.inf)
        weights = scores.softmax(-1).nan_to_num(0.0)
        return self.w_output(torch.einsum("bhmn,bnhd->bmhd", weights, v).flatten(2)), weights


def heads_one_by_one__chunks(x, w_query, w_key, w_value, w_output, num_heads):
    """Add what each head says through its own columns of w_output."""
    total = 0.0
    parts = [weight.chunk(num_heads, 0) for weight in (w_query, w_key, w_value)] + [w_output.chunk(num_heads, 1)]
    for q, k, v, o in zip(*parts, strict=True):
        weights = torch.softmax((x @ q.T) @ (x @ k.T).mT / q.shape[0] ** 0.5, -1)
        total = total + weights @ (x @ v.T) @ o.T
    return total


def fixed_heads__chunks(query, key, value, num_heads):
    """Attend chunk by chunk."""
    chunks = zip(*(x.chunk(num_heads, -1) for x in (query, key, value)), strict=True)
    return torch.cat([scaled_dot_product_attention(*three)[0] for three in chunks], -1)
