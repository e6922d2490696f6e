"""What is right about heads, by loops, slices and torch's attention: the oracle of exercise 07."""

import torch
from torch import Tensor
from torch.nn import functional as F

from transformer_course.checks.oracles import right_pair


def right_split(x: Tensor, num_heads: int) -> Tensor:
    """Cut the columns into heads with slices: ``(batch, num_heads, length, d_k)``."""
    d_k = x.shape[-1] // num_heads
    return torch.stack([x[:, :, head * d_k : (head + 1) * d_k] for head in range(num_heads)], 1)


def right_merge(x: Tensor) -> Tensor:
    """Write the heads side by side: ``(batch, length, d_model)``."""
    return torch.cat([x[:, head] for head in range(x.shape[1])], -1)


def right_heads(
    query: Tensor, key: Tensor, value: Tensor, num_heads: int, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Attend in every block of columns on its own; the blocks side by side, and the weights."""
    output, weights = right_pair(*(right_split(x, num_heads) for x in (query, key, value)), mask)
    return right_merge(output), weights


def project(weights: dict[str, Tensor], name: str, x: Tensor) -> Tensor:
    """Apply one of the four projections, given by name."""
    return F.linear(x, weights[f"{name}.weight"], weights.get(f"{name}.bias"))


def right_multi_head(
    weights: dict[str, Tensor],
    num_heads: int,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """Compute multi-head attention from the parameters of a module, given by name."""
    projected = [project(weights, f"w_{name}", x) for name, x in (("query", query), ("key", key), ("value", value))]
    output, shares = right_heads(*projected, num_heads, mask)
    return project(weights, "w_output", output), shares


def right_parameter_count(d_model: int, bias: bool = True) -> int:
    """Count the parameters of torch's own module; there the number of heads changes nothing."""
    with torch.device("meta"):
        module = torch.nn.MultiheadAttention(d_model, 1, bias=bias)
    return sum(parameter.numel() for parameter in module.parameters())


def right_flops(query_length: int, key_length: int, d_model: int, num_heads: int) -> int:
    """Add up rows * inner * columns of every matrix product, one after the other."""
    d_k = d_model // num_heads
    products = [(query_length, d_model, d_model)] * 2 + [(key_length, d_model, d_model)] * 2
    products += [(query_length, d_k, key_length), (query_length, key_length, d_k)] * num_heads
    return sum(rows * inner * columns for rows, inner, columns in products)


def right_grouped(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """Repeat every key head for the query heads that share it, and attend."""
    times = query.shape[1] // key.shape[1]
    return F.scaled_dot_product_attention(query, key.repeat_interleave(times, 1), value.repeat_interleave(times, 1))
