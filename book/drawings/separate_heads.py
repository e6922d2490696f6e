"""Multi-head attention taken apart: a list of heads, each of its own, which computes the same (chapter 07)."""

import torch
from torch import Tensor, nn

from transformer_course.common.validation import require_divisor, require_mask
from transformer_course.multi_head_attention import MultiHeadAttention
from transformer_course.scaled_dot_product_attention import scaled_dot_product_attention


class AttentionHead(nn.Module):
    """Be one head of its own: project to d_k columns and attend. What ``MultiHeadAttention`` does num_heads times.

    Source: Vaswani et al. (2017), section 3.2.2, head_i.

    Args:
        d_model: width of the inputs.
        d_k: width of the queries, keys and values.
        bias: whether the three projections add a bias.
    """

    def __init__(self, d_model: int, d_k: int, bias: bool = True):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_k, bias=bias)
        self.w_key = nn.Linear(d_model, d_k, bias=bias)
        self.w_value = nn.Linear(d_model, d_k, bias=bias)

    def forward(self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Attend with one head.

        Args:
            query: ``(batch, query_length, d_model)``.
            key: ``(batch, key_length, d_model)``.
            value: ``(batch, key_length, d_model)``.
            mask: bool, broadcastable to ``(batch, query_length, key_length)``; True = may be attended to.

        Returns:
            The output ``(batch, query_length, d_k)`` and the weights ``(batch, query_length, key_length)``.
        """
        return scaled_dot_product_attention(self.w_query(query), self.w_key(key), self.w_value(value), mask)


class SeparateHeads(nn.Module):
    """Compute multi-head attention as the formula is written: a list of heads, concatenated and projected.

    It computes what ``MultiHeadAttention`` computes, in num_heads small matrix products where that takes one large.

    Source: Vaswani et al. (2017), section 3.2.2, MultiHead(Q, K, V) = Concat(head_1, ..., head_h) W^O.

    Args:
        d_model: width of the inputs and the output.
        num_heads: a divisor of d_model.
        bias: whether the projections add a bias.

    Raises:
        ValueError: if num_heads does not divide d_model.
    """

    def __init__(self, d_model: int, num_heads: int, bias: bool = True):
        super().__init__()
        require_divisor("num_heads", num_heads, "d_model", d_model)
        d_k = d_model // num_heads
        self.heads = nn.ModuleList(AttentionHead(d_model, d_k, bias) for _ in range(num_heads))
        self.w_output = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Attend in one head after the other; arguments and results as in ``MultiHeadAttention``."""
        weights_shape = (query.shape[0], len(self.heads), query.shape[1], key.shape[1])
        masks = [None] * len(self.heads)
        if mask is not None:
            require_mask(mask, weights_shape)
            masks = mask.expand(weights_shape).unbind(dim=1)  # one (batch, query_length, key_length) per head
        results = [head(query, key, value, own) for head, own in zip(self.heads, masks, strict=True)]
        outputs, weights = zip(*results, strict=True)
        return self.w_output(torch.cat(outputs, dim=-1)), torch.stack(weights, dim=1)


def separate_heads(attention: MultiHeadAttention) -> SeparateHeads:
    """Take a ``MultiHeadAttention`` apart: the same computation, every head with its own copy of its weights.

    Args:
        attention: a module with d_model, num_heads and the four projections.

    Returns:
        Separate heads with copied weights. Row block i of ``w_query.weight`` becomes head i's whole ``w_query``.
    """
    parts = SeparateHeads(attention.d_model, attention.num_heads, bias=attention.w_output.bias is not None)
    parts.to(attention.w_output.weight)
    with torch.no_grad():
        for name in ("w_query", "w_key", "w_value"):
            for parameter, whole in getattr(attention, name).named_parameters():
                blocks = whole.chunk(attention.num_heads, dim=0)  # num_heads of (d_k, d_model), or (d_k,) for the bias
                for head, block in zip(parts.heads, blocks, strict=True):
                    getattr(head, name).get_parameter(parameter).copy_(block)
    parts.w_output.load_state_dict(attention.w_output.state_dict())
    return parts
