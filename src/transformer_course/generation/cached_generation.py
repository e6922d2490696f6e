"""Writing with a language model whose keys and values are kept: the cache of chapter 11, without a source.

Dimension names: ``batch`` texts; ``length`` tokens that are written so far; ``heads``; ``d_k`` the width of one head.
"""

import torch
from torch import Tensor

from transformer_course.common.modes import evaluating
from transformer_course.common.validation import require_not_negative, require_tokens
from transformer_course.decoding import Cache, cached_attention, keys_and_values
from transformer_course.language_model import LanguageModel, sample_token
from transformer_course.transformer_blocks import EncoderBlock, residual


def read_prompt(model: LanguageModel, prompt: Tensor) -> tuple[Tensor, list[Cache]]:
    """Read a prompt at once, and keep the keys and values of all its positions.

    Args:
        model: in eval mode.
        prompt: token ids ``(batch, length)``, at most max_length.

    Returns:
        The logits of the next token ``(batch, vocab_size)``, and for each block its keys and values, each
        ``(batch, heads, length, d_k)``.
    """
    x = model.embed(prompt)  # (batch, length, d_model)
    caches = []
    for block in model.blocks:
        caches.append(keys_and_values(block.self_attention, block.norm_1(x)))
        x = block(x, is_causal=True)
    return model.logits(x[:, -1:]).squeeze(1), caches


def read_token(model: LanguageModel, token: Tensor, caches: list[Cache]) -> tuple[Tensor, list[Cache]]:
    """Read one more token of each text.

    Args:
        model: in eval mode.
        token: token ids ``(batch,)``.
        caches: for each block the keys and values of the positions before, from ``read_prompt`` or the call before.

    Returns:
        The logits of the next token ``(batch, vocab_size)``, and the longer caches.
    """
    x = model.embed(token.unsqueeze(1), start=caches[0][0].shape[2])  # (batch, 1, d_model)
    longer = []
    for block, cache in zip(model.blocks, caches, strict=True):
        x, cache = encoder_block_step(block, x, cache)
        longer.append(cache)
    return model.logits(x).squeeze(1), longer


def encoder_block_step(block: EncoderBlock, x: Tensor, cache: Cache) -> tuple[Tensor, Cache]:
    """Pass one new position ``(batch, 1, d_model)`` through a block that reads from left to right."""

    def attend(x: Tensor) -> Tensor:
        nonlocal cache
        output, cache = cached_attention(block.self_attention, x, cache)
        return output

    x = residual(x, attend, block.norm_1, block.dropout, block.norm_first)
    return residual(x, block.feed_forward, block.norm_2, block.dropout, block.norm_first), cache


@torch.no_grad()
def generate_cached(
    model: LanguageModel,
    prompt: Tensor,
    num_tokens: int,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    generator: torch.Generator | None = None,
) -> Tensor:
    """Write what ``generate`` writes, but send each token through the model once only.

    As soon as the text is longer than ``max_length``, the window slides, each token gets another position and with it
    other keys, and nothing that was kept is of use: from there on it is as slow as ``generate``.

    Args:
        model: as made by ``LanguageModel``.
        prompt: token ids ``(batch, prompt_length)``.
        num_tokens: how many are appended.
        temperature: as in ``sample_token``, like the following.
        top_k: as in ``sample_token``.
        top_p: as in ``sample_token``.
        generator: as in ``sample_token``.

    Returns:
        Token ids ``(batch, prompt_length + num_tokens)``, the prompt first.

    Raises:
        ValueError: if the prompt is empty or has another shape, or num_tokens is negative.
    """
    require_tokens("prompt", prompt, ("batch", "prompt_length"), at_least=1)
    require_not_negative("num_tokens", num_tokens)
    tokens, caches = prompt, None
    with evaluating(model):
        for _ in range(num_tokens):
            if tokens.shape[1] > model.max_length:
                logits = model(tokens[:, -model.max_length :])[:, -1]
            elif caches is None:
                logits, caches = read_prompt(model, tokens)
            else:
                logits, caches = read_token(model, tokens[:, -1], caches)
            drawn = sample_token(logits, temperature, top_k, top_p, generator)
            tokens = torch.cat([tokens, drawn.unsqueeze(1)], dim=1)
    return tokens
