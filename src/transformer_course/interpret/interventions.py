"""Changing one thing inside a trained Transformer and looking what happens: chapter 12.

Source: Michel et al. (2019), section 3.2 (silencing a head); Vig et al. (2020), "Investigating Gender Bias in Language
Models Using Causal Mediation Analysis" (putting in what another sentence gave).

Dimension names: ``batch``; ``heads``; ``query_length`` m, ``key_length`` n; ``d_k`` the width of a head.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from torch import Tensor, nn

from transformer_course.multi_head_attention import MultiHeadAttention, merge_heads, split_heads


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
