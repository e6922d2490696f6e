"""Chapter 07: multi-head attention.

``split_heads`` cuts the width of the model into heads, ``merge_heads`` puts them side by side again, and
``MultiHeadAttention`` has the attention of chapter 04 between the two, and a projection before and after. The rest is
about what it costs: ``fused_attention`` computes the same output without keeping the weights, and two functions count
parameters and operations.

Source: Vaswani et al. (2017), "Attention Is All You Need", section 3.2.2.

Dimension names: ``batch``, ``heads`` (``num_heads`` of them), ``query_length`` m, ``key_length`` n (``length``
where they are the same), ``d_model`` the width of the model, ``d_k = d_model / num_heads`` that of one head. Head i
owns the columns ``i * d_k`` to ``(i + 1) * d_k``.
"""

from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course.common.validation import (
    require_attention,
    require_divisor,
    require_floating,
    require_mask,
    require_not_negative,
    require_positive,
    require_shape,
)
from transformer_course.masking import causal_mask, combine_masks
from transformer_course.scaled_dot_product_attention import scaled_dot_product_attention


def split_heads(x: Tensor, num_heads: int) -> Tensor:
    """Cut the model dimension into heads: head i gets the i-th block of columns.

    Source: Vaswani et al. (2017), section 3.2.2.

    Args:
        x: ``(batch, length, d_model)``.
        num_heads: a divisor of d_model.

    Returns:
        ``(batch, num_heads, length, d_k)``.

    >>> import torch
    >>> split_heads(torch.arange(8).view(1, 2, 4), num_heads=2).tolist()
    [[[[0, 1], [4, 5]], [[2, 3], [6, 7]]]]
    """
    require_shape("x", x, ("batch", "length", "d_model"))
    batch, length, d_model = x.shape
    d_k = _head_width(d_model, num_heads)
    return x.view(batch, length, num_heads, d_k).transpose(1, 2)  # (batch, num_heads, length, d_k)


def merge_heads(x: Tensor) -> Tensor:
    """Write the heads side by side again; the inverse of ``split_heads``.

    Source: Vaswani et al. (2017), section 3.2.2, the Concat of the heads.

    Args:
        x: ``(batch, heads, length, d_k)``.

    Returns:
        ``(batch, length, d_model)`` with ``d_model = heads * d_k``.
    """
    require_shape("x", x, ("batch", "heads", "length", "d_k"))
    return x.transpose(1, 2).flatten(start_dim=2)  # (batch, length, d_model)


class MultiHeadAttention(nn.Module):
    """Let several heads attend at once, each in its own d_k columns of the projected queries, keys and values.

    One head gives one average of the values for each query; several can attend to different positions for different
    reasons, and ``w_output`` mixes what they found.

    The four projections start with Xavier uniform weights and a zero bias. For inputs of variance 1 each entry of
    q and k then has variance 1 as well, so that q . k / sqrt(d_k) starts with variance 1 and softmax does not begin
    saturated (chapter 05).

    Source: Vaswani et al. (2017), section 3.2.2; Glorot & Bengio (2010), equation 16, for the initial weights.

    Args:
        d_model: width of the inputs and the output.
        num_heads: a divisor of d_model.
        bias: whether the four projections add a bias.
    """

    def __init__(self, d_model: int, num_heads: int, bias: bool = True):
        super().__init__()
        self.d_model = d_model
        self.num_heads = num_heads
        self.d_k = _head_width(d_model, num_heads)
        self.w_query = nn.Linear(d_model, d_model, bias=bias)
        self.w_key = nn.Linear(d_model, d_model, bias=bias)
        self.w_value = nn.Linear(d_model, d_model, bias=bias)
        self.w_output = nn.Linear(d_model, d_model, bias=bias)
        for projection in (self.w_query, self.w_key, self.w_value, self.w_output):
            nn.init.xavier_uniform_(projection.weight)
            if bias:
                nn.init.zeros_(projection.bias)

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        mask: Tensor | None = None,
        need_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        """Project, split, attend in every head, merge, project.

        Args:
            query: ``(batch, query_length, d_model)``.
            key: ``(batch, key_length, d_model)``.
            value: ``(batch, key_length, d_model)``.
            mask: bool, broadcastable to ``(batch, heads, query_length, key_length)``; True = may be attended to.
            need_weights: False leaves the weights out and computes the same output in less memory.
            is_causal: True also hides from each query the keys at later positions.

        Returns:
            The output ``(batch, query_length, d_model)`` and the weights ``(batch, heads, query_length, key_length)``,
            or None in their place. For a query that may attend to nothing the heads give zero: its output is the bias
            of ``w_output``.

        Raises:
            ValueError: if is_causal comes with another number of keys than queries.
        """
        self._check(query, key, value)
        query = split_heads(self.w_query(query), self.num_heads)  # (batch, heads, query_length, d_k)
        key = split_heads(self.w_key(key), self.num_heads)  # (batch, heads, key_length, d_k)
        value = split_heads(self.w_value(value), self.num_heads)  # (batch, heads, key_length, d_k)
        _check_masks(query, key, mask, is_causal)
        if need_weights:
            if is_causal:
                mask = combine_masks(mask, causal_mask(query.shape[-2], query.device))
            heads, weights = scaled_dot_product_attention(query, key, value, mask)
        else:
            heads, weights = fused_attention(query, key, value, mask, is_causal), None
        return self.w_output(merge_heads(heads)), weights  # (batch, query_length, d_model)

    def _check(self, query: Tensor, key: Tensor, value: Tensor) -> None:
        for name, x in (("query", query), ("key", key), ("value", value)):
            require_shape(name, x, ("batch", "length", self.d_model))
            require_floating(name, x)
            if x.shape[0] != query.shape[0]:
                raise ValueError(f"{name}: expected batch = {query.shape[0]} as in query, got {x.shape[0]}")
        if value.shape[1] != key.shape[1]:
            raise ValueError(f"value: expected key_length = {key.shape[1]} as in key, got {value.shape[1]}")


def fused_attention(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None, is_causal: bool = False
) -> Tensor:
    """Compute the output of ``scaled_dot_product_attention`` by torch's kernels, which need not store the weights.

    Such a kernel works through the keys block by block, so that memory grows with the length and not with its square,
    unless a mask with a row for each query is as large itself. Where torch has no such kernel, it computes the weights
    after all. Without a mask beside it, ``is_causal`` also skips the half of the scores that would be hidden.

    Source: Milakov & Gimelshein (2018), "Online normalizer calculation for softmax"; Dao et al. (2022),
    "FlashAttention", algorithm 1.

    Args:
        query: ``(batch, heads, query_length, d_k)``.
        key: ``(batch, heads, key_length, d_k)``.
        value: ``(batch, heads, key_length, d_k)``.
        mask: bool, broadcastable to ``(batch, heads, query_length, key_length)``; True = may be attended to.
        is_causal: True also hides from each query the keys at later positions.

    Returns:
        The output ``(batch, heads, query_length, d_k)``; zeros for a query that may attend to nothing.

    Raises:
        ValueError: if query, key, value and mask do not fit, or is_causal comes with another number of keys than
            queries.
    """
    require_shape("query", query, ("batch", "heads", "query_length", "d_k"))
    require_attention(query, key, value)
    _check_masks(query, key, mask, is_causal)
    if mask is None:
        return F.scaled_dot_product_attention(query, key, value, is_causal=is_causal)
    if is_causal:
        mask = combine_masks(mask, causal_mask(query.shape[-2], query.device))
    mask = mask[(None,) * (4 - mask.dim())]  # dimensions of size 1 in front: torch refuses a mask with a single one
    if query.device.type == "cpu":
        return F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
    return _attention_with_guarded_rows(query, key, value, mask)


def _attention_with_guarded_rows(query: Tensor, key: Tensor, value: Tensor, mask: Tensor) -> Tensor:
    # A query that may attend to nothing gets zeros on the CPU, forward and backward (see the tests), but from some
    # kernels of other devices NaN. So there it attends to everything, and its output is replaced by zeros.
    empty = ~mask.any(dim=-1, keepdim=True)  # (..., query_length or 1, 1)
    # Some kernels also need the mask in full, with one entry for each key.
    allowed = (mask | empty).expand(-1, -1, -1, key.shape[-2]).contiguous()  # (..., query_length or 1, key_length)
    output = F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
    return output.masked_fill(empty, 0.0)


def _check_masks(query: Tensor, key: Tensor, mask: Tensor | None, is_causal: bool) -> None:
    if is_causal and query.shape[-2] != key.shape[-2]:
        # torch lines up the first key with the first query; with a cache the last would have to meet the last.
        raise ValueError(f"is_causal: expected as many keys as queries, {query.shape[-2]}, got {key.shape[-2]}")
    if mask is not None:
        require_mask(mask, (*query.shape[:-1], key.shape[-2]))


def parameter_count(d_model: int, num_heads: int, bias: bool = True) -> int:
    """Count the numbers that a ``MultiHeadAttention`` learns. The number of heads does not matter.

    Source: Vaswani et al. (2017), section 3.2.2, the shapes of the four matrices.

    Args:
        d_model: width of the model.
        num_heads: a divisor of d_model.
        bias: whether the four projections add a bias.

    Returns:
        The number of parameters.

    >>> parameter_count(512, 8), parameter_count(512, 1)
    (1050624, 1050624)
    """
    _head_width(d_model, num_heads)
    return 4 * d_model * d_model + (4 * d_model if bias else 0)


def attention_flops(query_length: int, key_length: int, d_model: int, num_heads: int) -> int:
    """Count the multiply-accumulates for one sentence: four projections, ``q k^T``, and weights times values.

    Source: Vaswani et al. (2017), section 4 and table 1, with the projections and constants that it leaves out.

    Args:
        query_length: number of queries m.
        key_length: number of keys n.
        d_model: width of the model.
        num_heads: a divisor of d_model.

    Returns:
        The number of multiply-accumulates; one of them is two floating-point operations.

    >>> attention_flops(100, 100, d_model=512, num_heads=8)
    115097600
    """
    d_k = _head_width(d_model, num_heads)
    require_not_negative("query_length", query_length)
    require_not_negative("key_length", key_length)
    projections = 2 * (query_length + key_length) * d_model * d_model  # query and output; key and value
    products = 2 * num_heads * query_length * key_length * d_k  # q k^T and weights times values, in every head
    return projections + products


def _head_width(d_model: int, num_heads: int) -> int:
    require_positive("d_model", d_model)
    require_divisor("num_heads", num_heads, "d_model", d_model)
    return d_model // num_heads
