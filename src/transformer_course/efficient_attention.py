"""Chapter 17: the same attention in blocks, and other attentions that cost less.

The same in less memory: ``online_softmax_step`` takes a block of keys into a softmax that has begun, and
``blockwise_attention`` does so for all queries, forward and backward. Less to keep: heads share keys and values
(``grouped_query_attention``), or look back a little way only (``sliding_window_mask``); ``cache_bytes`` counts what is
left. No softmax at all: ``linear_attention``.

Source: Milakov and Gimelshein (2018), "Online normalizer calculation for softmax"; Dao et al. (2022), "FlashAttention";
Dao (2023), "FlashAttention-2"; Ainslie et al. (2023), "GQA"; Katharopoulos et al. (2020), "Transformers are RNNs".

Dimension names: ``...`` any leading dimensions (batch, heads), ``query_length`` m, ``key_length`` n, ``d_k`` the
width of queries and keys, ``d_v`` the width of values, ``groups`` sets of keys and values that heads share
(``num_kv_heads`` in many models).
"""

import math
from collections.abc import Iterator

import torch
from torch import Tensor
from torch.nn import functional as F

from transformer_course.common.precision import at_least_float32
from transformer_course.common.validation import (
    require_attention,
    require_divisor,
    require_floating,
    require_not_negative,
    require_positive,
    require_same_dtype,
    require_shape,
    require_shapes,
)
from transformer_course.masking import masked_softmax

State = tuple[Tensor, Tensor, Tensor]  # maximum, total, output
_CHUNK = 64  # of causal linear attention: inside a chunk positions are compared pair by pair, all before it are one sum


def online_softmax_step(state: State, scores: Tensor, values: Tensor) -> State:
    """Take one more block of keys into account, as if all had been there from the beginning.

    Source: Dao et al. (2022), algorithm 1, lines 10 to 12; the sum is that of Milakov and Gimelshein (2018).

    Args:
        state: of all blocks before: their largest score, ``maximum (..., 1)``; the sum of ``exp(score - maximum)``,
            ``total (..., 1)``; and the attention to these blocks alone, ``output (..., d_v)``; -inf, 0 and 0 at first.
            In half precision sums stop growing: give all in float32.
        scores: ``(..., block)``; ``-inf`` means "never".
        values: ``(..., block, d_v)``, finite.

    Returns:
        The state with this block. A block of nothing but ``-inf`` changes nothing.

    >>> start = torch.tensor([-math.inf]), torch.tensor([0.0]), torch.tensor([0.0])
    >>> scores, values = torch.tensor([0.0, 0.0]), torch.tensor([[2.0], [4.0]])
    >>> [part.item() for part in online_softmax_step(start, scores, values)]
    [0.0, 2.0, 3.0]
    """
    maximum, total, output = state
    _check_state(state, scores, values)
    if scores.shape[-1] == 0:
        return state
    highest = torch.maximum(maximum, scores.amax(dim=-1, keepdim=True))  # (..., 1)
    shift = highest.masked_fill(highest == -math.inf, 0.0)  # -inf - -inf is NaN
    exponentials = (scores - shift).exp()  # (..., block)
    before = total * (maximum - shift).exp()  # (..., 1)
    total = before + exponentials.sum(dim=-1, keepdim=True)
    # The old output is divided already: times `before` it is a sum again.
    weighted = before * output + (exponentials.unsqueeze(-2) @ values).squeeze(-2)  # (..., d_v)
    return highest, total, weighted / total.masked_fill(total == 0, 1.0)


def blockwise_attention(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None, block_size: int = 128
) -> Tensor:
    """Compute scaled dot-product attention without ever holding all weights; half precision in float32.

    The backward pass computes the weights of each block anew, and has no derivative itself. Extra memory: tensors
    of the inputs' size, and one block of scores, ``(..., query_length, block_size)``; two on the way back.

    Source: Dao et al. (2022), algorithms 1 and 4; Dao (2023), section 3.1, for the division at the end.

    Args:
        query: ``(..., query_length, d_k)``.
        key: ``(..., key_length, d_k)``.
        value: ``(..., key_length, d_v)``.
        mask: bool, broadcastable to ``(..., query_length, key_length)``; True = may be attended to.
        block_size: keys that are looked at together.

    Returns:
        The output ``(..., query_length, d_v)``, equal to that of plain attention; zeros for a query that may attend
        to nothing.
    """
    require_positive("block_size", block_size)
    require_attention(query, key, value, mask)
    leading = torch.broadcast_shapes(query.shape[:-2], key.shape[:-2], value.shape[:-2])
    wide = (at_least_float32(x).expand(*leading, *x.shape[-2:]) for x in (query, key, value))
    with torch.autocast(query.device.type, enabled=False):  # which would not hold on the way back
        return AttentionInBlocks.apply(*wide, mask, block_size).to(query.dtype)


class AttentionInBlocks(torch.autograd.Function):
    """Attention over blocks of keys; what is kept for the backward pass, but for a mask, is linear in the length."""

    @staticmethod
    def forward(ctx, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, block_size: int) -> Tensor:
        """Go through the keys once, with the largest score, the sum and the output of what has been seen."""
        maximum = query.new_full((*query.shape[:-1], 1), -math.inf)
        total = query.new_zeros(maximum.shape)
        output = query.new_zeros(*query.shape[:-1], value.shape[-1])
        # `online_softmax_step` for all queries at once, in place, with the division left to the end: until then
        # `output` is a sum, as `total` is, and `correction` takes both to the new maximum.
        for start, stop, scores in _blocks(query, key, mask, block_size):
            highest = torch.maximum(maximum, scores.amax(dim=-1, keepdim=True))  # (..., query_length, 1)
            shift = highest.masked_fill(highest == -math.inf, 0.0)
            weights = scores.sub_(shift).exp_()  # (..., query_length, block), not yet divided
            correction = (maximum - shift).exp_()
            total = total * correction + weights.sum(dim=-1, keepdim=True)
            output = output.mul_(correction).add_(weights @ value[..., start:stop, :])
            maximum = highest
        output = output.div_(total.masked_fill(total == 0, 1.0))
        # exp(score - log_total) = exp(score - maximum) / total: one number gives all weights of a query again.
        log_total = maximum + total.log()  # -inf where a query may attend to nothing
        ctx.save_for_backward(query, key, value, output, log_total, mask)
        ctx.block_size = block_size
        return output

    @staticmethod
    def backward(ctx, grad_output: Tensor) -> tuple[Tensor | None, ...]:
        """Go through the keys again; each block's weights are ``exp(scores - log_total)``."""
        if torch.is_grad_enabled():  # `create_graph=True`; but `log_total` counts as a constant here
            raise RuntimeError("blockwise_attention: expected a first derivative only; a second one would be wrong")
        query, key, value, output, log_total, mask = ctx.saved_tensors
        shift = log_total.masked_fill(log_total == -math.inf, 0.0)
        # Chapter 05: dL/dscore = a (dL/da - mean under a); sum_j a_j (v_j . dL/dout) = out . dL/dout needs no weights.
        mean = (grad_output * output).sum(dim=-1, keepdim=True)  # (..., query_length, 1)
        grad_query, grad_key, grad_value = torch.zeros_like(query), torch.empty_like(key), torch.empty_like(value)
        scale = 1 / math.sqrt(query.shape[-1])
        for start, stop, scores in _blocks(query, key, mask, ctx.block_size):
            weights = scores.sub_(shift).exp_()  # (..., query_length, block)
            grad_value[..., start:stop, :] = weights.transpose(-2, -1) @ grad_output
            grad_weights = grad_output @ value[..., start:stop, :].transpose(-2, -1)
            grad_scores = grad_weights.sub_(mean).mul_(weights).mul_(scale)
            grad_query += grad_scores @ key[..., start:stop, :]
            grad_key[..., start:stop, :] = grad_scores.transpose(-2, -1) @ query
        return grad_query, grad_key, grad_value, None, None


def _blocks(query: Tensor, key: Tensor, mask: Tensor | None, block_size: int) -> Iterator[tuple[int, int, Tensor]]:
    """Yield where each block of keys begins and ends, and its scores ``(..., query_length, block)``."""
    scale = 1 / math.sqrt(query.shape[-1])
    key_length = key.shape[-2]
    for start in range(0, key_length, block_size):
        stop = min(start + block_size, key_length)
        scores = (query @ key[..., start:stop, :].transpose(-2, -1)).mul_(scale)
        if mask is not None:
            allowed = mask[..., start:stop] if mask.dim() and mask.shape[-1] == key_length else mask
            scores.masked_fill_(~allowed, -math.inf)
        yield start, stop, scores


def grouped_query_attention(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> Tensor:
    """Let several heads share the keys and values of a group, which are never copied for them.

    Head i uses group ``i // (heads // groups)``; groups divides heads. The heads of a group are stacked along the query
    dimension, ``heads // groups * query_length`` rows, so that each group is one product.

    Source: Ainslie et al. (2023), section 2.2; with one group, Shazeer (2019), "Fast Transformer Decoding".

    Args:
        query: ``(batch, heads, query_length, d_k)``.
        key: ``(batch, groups, key_length, d_k)``.
        value: ``(batch, groups, key_length, d_v)``.
        mask: bool, broadcastable to ``(batch, heads, query_length, key_length)``; True = may be attended to.

    Returns:
        The output ``(batch, heads, query_length, d_v)``; zeros for a query that may attend to nothing.
    """
    require_shapes(
        query=(query, "batch heads query_length d_k"),
        key=(key, "batch groups key_length d_k"),
        value=(value, "batch groups key_length d_v"),
    )
    require_floating("query", query)
    require_same_dtype("key", key, "query", query)
    require_same_dtype("value", value, "query", query)
    batch, heads, query_length, d_k = query.shape
    groups, key_length = key.shape[1:3]
    require_divisor("groups", groups, "heads", heads)
    rows = heads // groups * query_length
    stacked = query.reshape(batch, groups, rows, d_k)
    scores = stacked @ key.transpose(-2, -1) / math.sqrt(d_k)  # (batch, groups, rows, key_length)
    weights = masked_softmax(scores.view(batch, heads, query_length, key_length), mask)
    output = weights.view(batch, groups, rows, key_length) @ value  # (batch, groups, rows, d_v)
    return output.view(batch, heads, query_length, value.shape[-1])


def sliding_window_mask(length: int, window: int, causal: bool = True, device: torch.device | None = None) -> Tensor:
    """Let each position see itself and the ``window - 1`` before it, and as many after it if not causal.

    Source: Beltagy et al. (2020), "Longformer", section 3.1, whose window counts both sides.

    Args:
        length: of the sentence.
        window: positions that are seen on the left, the own one counted; if not causal, as many on the right.
        causal: whether what comes later is hidden.
        device: where the mask is made.

    Returns:
        bool, ``(length, length)``; row i says what position i may attend to.

    >>> sliding_window_mask(4, window=2).int()
    tensor([[1, 0, 0, 0],
            [1, 1, 0, 0],
            [0, 1, 1, 0],
            [0, 0, 1, 1]], dtype=torch.int32)
    """
    require_not_negative("length", length)
    require_positive("window", window)
    positions = torch.arange(length, device=device)
    back = positions.unsqueeze(1) - positions  # (length, length): by how many positions key j precedes query i
    return (back < window) & (back >= 0 if causal else back > -window)


def linear_attention(query: Tensor, key: Tensor, value: Tensor, causal: bool = False) -> Tensor:
    """Replace ``exp(q . k)`` by ``phi(q) . phi(k)``, so that keys and values can be summed up before a query comes.

    The cost is linear in the length. With ``causal`` the sums go on from chunk to chunk, like a recurrent state.

    For x < 0, ``elu(x) + 1`` is ``exp(x)``, but computed as ``(exp(x) - 1) + 1``: in float32 it is 0 below about -17,
    and a key all of whose columns lie there has weight 0. Half precision is computed in float32.

    Source: Katharopoulos et al. (2020), equations 5, 7 and 9 to 12: ``phi(x) = elu(x) + 1``.

    Args:
        query: ``(..., query_length, d_k)``.
        key: ``(..., key_length, d_k)``.
        value: ``(..., key_length, d_v)``.
        causal: position i attends to positions up to i; needs query_length = key_length.

    Returns:
        The output ``(..., query_length, d_v)``; zeros where the sum of the weights is computed as 0.
    """
    require_attention(query, key, value)
    dtype, value = value.dtype, at_least_float32(value)
    query, key = F.elu(at_least_float32(query)) + 1, F.elu(at_least_float32(key)) + 1
    if not causal:
        memory = key.transpose(-2, -1) @ value  # (..., d_k, d_v)
        total = query @ key.sum(dim=-2).unsqueeze(-1)  # (..., query_length, 1)
        return (query @ memory / total.masked_fill(total == 0, 1.0)).to(dtype)
    if query.shape[-2] != key.shape[-2]:
        raise ValueError(f"key: expected key_length = query_length = {query.shape[-2]}, got {key.shape[-2]}")
    # Over all chunks before: the sum of phi(k)^T v, and the sum of phi(k).
    memory, key_sum = value.new_zeros(key.shape[-1], value.shape[-1]), key.new_zeros(1, key.shape[-1])
    outputs = []
    # split, not x[..., a:b, :]: the backward pass of each slice would allocate a tensor as long as the whole text.
    for q, k, v in zip(*(x.split(_CHUNK, dim=-2) for x in (query, key, value)), strict=True):
        weights = (q @ k.transpose(-2, -1)).tril()  # (..., chunk, chunk)
        total = weights.sum(dim=-1, keepdim=True) + q @ key_sum.transpose(-2, -1)  # (..., chunk, 1)
        outputs.append((weights @ v + q @ memory) / total.masked_fill(total == 0, 1.0))
        memory = memory + k.transpose(-2, -1) @ v
        key_sum = key_sum + k.sum(dim=-2, keepdim=True)
    return torch.cat(outputs, dim=-2).to(dtype)


def cache_bytes(
    length: int, num_layers: int, num_groups: int, d_k: int, bytes_per_number: int = 2, window: int | None = None
) -> int:
    """Count the bytes of the keys and values that a decoder keeps for one text.

    Source: Shazeer (2019), "Fast Transformer Decoding", section 3.

    Args:
        length: tokens of the text.
        num_layers: layers with self-attention.
        num_groups: sets of keys and values in a layer: as many as heads, or fewer.
        d_k: width of a key, and of a value too.
        bytes_per_number: 2 for half precision.
        window: the most tokens that a layer looks back, itself counted; None keeps all.

    Returns:
        The number of bytes.

    >>> cache_bytes(1, num_layers=32, num_groups=32, d_k=128)  # Llama 2 7B, a token
    524288
    """
    sizes = {"length": length, "num_layers": num_layers, "num_groups": num_groups, "d_k": d_k}
    for name, number in {**sizes, "bytes_per_number": bytes_per_number}.items():
        require_not_negative(name, number)
    if window is not None:
        require_positive("window", window)
        length = min(length, window)
    return 2 * length * num_layers * num_groups * d_k * bytes_per_number


def _check_state(state: State, scores: Tensor, values: Tensor) -> None:
    for name, part, width in zip(("maximum", "total", "output"), state, (1, 1, values.shape[-1]), strict=True):
        require_shape(name, part, (*scores.shape[:-1], width))
    require_shape("values", values, (*scores.shape, "d_v"))
