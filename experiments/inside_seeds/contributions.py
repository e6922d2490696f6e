"""What each key adds to a row of the stream, and what each word to the memory, beside the weights that attention shows.

Source: Kobayashi et al. (2020), "Attention is Not Only a Weight" (norms of values).

Dimension names: ``batch``; ``heads``; ``query_length`` m, ``key_length`` n; ``d_k`` the width of a head.
"""

import torch
from torch import Tensor

from transformer_course.multi_head_attention import MultiHeadAttention, split_heads
from transformer_course.transformer import Transformer


def value_norms(attention: MultiHeadAttention, x: Tensor) -> Tensor:
    """Say how long each value is as the stream receives it: the norm of ``v_j`` times the head's part of ``W_O``.

    Source: Kobayashi et al. (2020), equation 3.

    Args:
        attention: the module.
        x: what it reads its values from, ``(batch, key_length, d_model)``.

    Returns:
        The norms ``(batch, heads, key_length)``; times a weight they are what that key adds to the row.
    """
    values = split_heads(attention.w_value(x), attention.num_heads)  # (batch, heads, n, d_k)
    parts = attention.w_output.weight.T.unflatten(0, (attention.num_heads, attention.d_k))  # (heads, d_k, d_model)
    return torch.linalg.vector_norm(values @ parts, dim=-1)


def projected_shares(attention: MultiHeadAttention, x: Tensor, weights: Tensor) -> Tensor:
    """Say which share of what a head adds to a row comes from each key, so that vectors may cancel.

    What key j adds is ``a_ij`` times its value as the stream receives it. Its share is its projection on the sum over
    the length of the sum.

    Args:
        attention: the module.
        x: what it reads its values from, ``(batch, key_length, d_model)``.
        weights: ``(batch, heads, query_length, key_length)``.

    Returns:
        The shares ``(batch, heads, query_length, key_length)``. Those of a row sum to 1; a key that pulls against the
        others has a negative share.
    """
    values = split_heads(attention.w_value(x), attention.num_heads)  # (batch, heads, n, d_k)
    parts = attention.w_output.weight.T.unflatten(0, (attention.num_heads, attention.d_k))  # (heads, d_k, d_model)
    received = values @ parts  # (batch, heads, n, d_model)
    added = weights @ received  # (batch, heads, m, d_model), the sum that each row receives
    squared = added.square().sum(dim=-1, keepdim=True)  # (batch, heads, m, 1)
    return weights * (added @ received.transpose(-2, -1)) / squared.clamp(min=torch.finfo(squared.dtype).tiny)


def memory_gradient(model: Transformer, source: Tensor) -> Tensor:
    """Say how much each position of the memory would move if the vector of a source word moved a little.

    Args:
        model: the Transformer.
        source: one sentence, token ids ``(1, source_length)``, without padding.

    Returns:
        Frobenius norms of the derivatives, ``(source_length, source_length)``: row = position of the memory, column =
        word.
    """
    embedded = model.source_embedding(source).detach()  # (1, source_length, d_model)
    length, d_model = embedded.shape[1:]
    # A copy of the sentence for each number of the memory: one backward pass gives all derivatives.
    x = embedded.repeat(length * d_model, 1, 1).requires_grad_()
    memory = x
    for block in model.encoder_blocks:
        memory = block(memory, None)
    memory = model.encoder_norm(memory).flatten(start_dim=1)  # (length * d_model, length * d_model)
    (derivatives,) = torch.autograd.grad(memory.diagonal().sum(), x)
    derivatives = derivatives.unflatten(0, (length, d_model))  # (length, d_model, length, d_model)
    return torch.linalg.vector_norm(derivatives, dim=(1, 3))
