"""Changing one thing inside a trained Transformer and looking what happens: chapter 12.

Source: Michel et al. (2019), section 3.2 (silencing a head); Vig et al. (2020), "Investigating Gender Bias in Language
Models Using Causal Mediation Analysis" (putting in what another sentence gave); Kobayashi et al. (2020), "Attention is
Not Only a Weight" (norms of values).

Dimension names: ``batch``; ``heads``; ``query_length`` m, ``key_length`` n; ``d_k`` the width of a head.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn

from transformer_course.multi_head_attention import MultiHeadAttention, merge_heads, split_heads
from transformer_course.transformer import Transformer


@contextmanager
def head_says(attention: MultiHeadAttention, head: int, said: Tensor | float) -> Iterator[None]:
    """Let one head say something else: put ``said`` where its output stood, before ``w_output`` reads it.

    0 silences the head, its mean over many words takes away what varies, and its output for another sentence makes it
    report on that one.

    Args:
        attention: a module inside a model, whose ``forward`` runs within the block.
        head: from 0.
        said: a number, or anything that broadcasts to ``(batch, query_length, d_k)``.
    """
    columns = slice(head * attention.d_k, (head + 1) * attention.d_k)

    def replace(_module: nn.Module, inputs: tuple[Tensor]) -> tuple[Tensor]:
        merged = inputs[0].clone()  # (batch, query_length, d_model): all heads side by side
        merged[..., columns] = said
        return (merged,)

    handle = attention.w_output.register_forward_pre_hook(replace)
    try:
        yield
    finally:
        handle.remove()


@contextmanager
def what_heads_say(attention: MultiHeadAttention) -> Iterator[list[Tensor]]:
    """Keep what the heads of a module say in each call: a list of ``(batch, query_length, heads, d_k)``."""
    kept: list[Tensor] = []

    def keep(_module: nn.Module, inputs: tuple[Tensor]) -> None:
        kept.append(inputs[0].detach().unflatten(-1, (attention.num_heads, attention.d_k)))

    handle = attention.w_output.register_forward_pre_hook(keep)
    try:
        yield kept
    finally:
        handle.remove()


@contextmanager
def weights_changed(attention: MultiHeadAttention, change: Callable[[Tensor], Tensor]) -> Iterator[None]:
    """Let a module attend with other weights: ``change`` takes and returns ``(batch, heads, m, n)``."""

    def ask(_module: nn.Module, inputs: tuple, keywords: dict) -> tuple[tuple, dict]:
        return inputs, keywords | {"need_weights": True}

    def attend_again(module: nn.Module, inputs: tuple, output: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:
        weights = change(output[1])
        heads = weights @ split_heads(module.w_value(inputs[2]), module.num_heads)  # (batch, heads, m, d_k)
        return module.w_output(merge_heads(heads)), weights

    handles = [
        attention.register_forward_pre_hook(ask, with_kwargs=True),
        attention.register_forward_hook(attend_again),
    ]
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


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
