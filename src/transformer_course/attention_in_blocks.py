"""The forward and the backward pass of attention in blocks, as one function with a derivative of its own.

Source: Dao et al. (2022), "FlashAttention", algorithms 1 and 4; of the forward pass, the form of Dao (2023),
"FlashAttention-2", section 3.1, which divides once at the end.
"""

import math
from collections.abc import Iterator

import torch
from torch import Tensor


class AttentionInBlocks(torch.autograd.Function):
    """Attention over blocks of keys; what is kept for the backward pass is linear in the length."""

    @staticmethod
    def forward(ctx, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, block_size: int) -> Tensor:
        """Go through the keys once, with the largest score, the sum and the mixture of what has been seen."""
        maximum = query.new_full((*query.shape[:-1], 1), -math.inf)
        total = query.new_zeros(maximum.shape)
        mixed = query.new_zeros(*query.shape[:-1], value.shape[-1])
        for start, stop, scores in _blocks(query, key, mask, block_size):
            highest = torch.maximum(maximum, scores.amax(dim=-1, keepdim=True))  # (..., query_length, 1)
            shift = highest.masked_fill(highest == -math.inf, 0.0)
            weights = scores.sub_(shift).exp_()  # (..., query_length, block), not yet divided
            fade = (maximum - shift).exp_()
            total = total * fade + weights.sum(dim=-1, keepdim=True)
            mixed = mixed.mul_(fade).add_(weights @ value[..., start:stop, :])
            maximum = highest
        output = mixed.div_(total.masked_fill(total == 0, 1.0))
        log_total = maximum + total.log()  # -inf where a query may attend to nothing
        ctx.save_for_backward(query, key, value, output, log_total, mask)
        ctx.block_size = block_size
        return output

    @staticmethod
    def backward(ctx, grad_output: Tensor) -> tuple[Tensor | None, ...]:
        """Go through the keys again; each block's weights are ``exp(scores - log_total)``."""
        query, key, value, output, log_total, mask = ctx.saved_tensors
        shift = log_total.masked_fill(log_total == -math.inf, 0.0)
        # The part of the softmax Jacobian that is the same for all keys: sum_j a_j dL/da_j = output . dL/doutput.
        mean = (grad_output * output).sum(dim=-1, keepdim=True)  # (..., query_length, 1)
        grad_query = torch.zeros_like(query)
        grad_key, grad_value = torch.empty_like(key), torch.empty_like(value)
        scale = 1 / math.sqrt(query.shape[-1])
        for start, stop, scores in _blocks(query, key, mask, ctx.block_size):
            weights = scores.sub_(shift).exp_()  # (..., query_length, block)
            grad_value[..., start:stop, :] = weights.transpose(-2, -1) @ grad_output
            grad_scores = grad_output @ value[..., start:stop, :].transpose(-2, -1)
            grad_scores = grad_scores.sub_(mean).mul_(weights).mul_(scale)
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
            allowed = mask[..., start:stop] if mask.shape[-1] == key_length else mask
            scores.masked_fill_(~allowed, -math.inf)
        yield start, stop, scores
