"""Chapter 11: keys and values that are kept, so that a decoder computes one position for each token that it writes.

Source: Shazeer (2019), "Fast Transformer Decoding: One Write-Head is All You Need", section 2.4.

The modules are those of the Transformer, with the weights that they have now. What changes is how often they are asked:
without a cache each new token sends all positions through every module again.

Dimension names: ``batch`` sentences, or hypotheses in beam search; ``heads``; ``length`` tokens that are written so
far; ``d_k`` the width of one head.
"""

from typing import Any

import torch
from torch import Tensor, nn

from transformer_course.common.validation import require_floating, require_shape
from transformer_course.multi_head_attention import MultiHeadAttention, fused_attention, merge_heads, split_heads
from transformer_course.positional_encoding import TransformerEmbedding
from transformer_course.transformer import Transformer, padding_mask_or_none
from transformer_course.transformer_blocks import DecoderBlock, FeedForward, LayerNorm, residual

# What a decoder of the course consists of: attention apart, parts that treat each position on its own.
KNOWN = {DecoderBlock, MultiHeadAttention, FeedForward, LayerNorm, nn.Linear, nn.Dropout, nn.Identity, nn.ModuleList}
KNOWN |= {TransformerEmbedding, nn.Embedding}
Cache = tuple[Tensor, Tensor]
State = dict[str, Any]


def cached_attention(
    attention: MultiHeadAttention, x: Tensor, cache: Cache | None, mask: Tensor | None = None
) -> tuple[Tensor, Cache]:
    """Let one new position attend to itself and to the positions before it, whose keys and values are kept.

    Source: Shazeer (2019), "Fast Transformer Decoding: One Write-Head is All You Need", section 2.4.

    Args:
        attention: the self-attention of a decoder.
        x: ``(batch, 1, d_model)``, the new position.
        cache: keys and values of the positions before, each ``(batch, heads, length, d_k)``; None for the first one.
        mask: bool, broadcastable to ``(batch, heads, 1, length + 1)``; True = may be attended to.

    Returns:
        The output ``(batch, 1, d_model)``, equal to the last row of causal attention over all positions, and the
        longer cache. The cache that came in is not changed.

    Raises:
        ValueError: if x is not one position, or the cache or the mask does not fit.
    """
    require_shape("x", x, ("batch", 1, attention.d_model))
    require_floating("x", x)
    query, key, value = (
        split_heads(projection(x), attention.num_heads)  # (batch, heads, 1, d_k)
        for projection in (attention.w_query, attention.w_key, attention.w_value)
    )
    if cache is not None:
        _check_cache(cache, key)
        # The new position comes last: the order of keys does not matter to attention, but to whoever reads the cache.
        key, value = torch.cat([cache[0], key], dim=2), torch.cat([cache[1], value], dim=2)
    heads = fused_attention(query, key, value, mask)  # (batch, heads, 1, d_k)
    return attention.w_output(merge_heads(heads)), (key, value)


def decoder_block_step(
    block: DecoderBlock,
    x: Tensor,
    cache: Cache | None,
    cross: Cache,
    self_mask: Tensor | None = None,
    memory_mask: Tensor | None = None,
) -> tuple[Tensor, Cache]:
    """Pass one new position through a decoder block: the sublayers of its ``forward``, with keys and values kept.

    Args:
        block: a decoder block.
        x: ``(batch, 1, d_model)``, the new position.
        cache: keys and values of the positions before, each ``(batch, heads, length, d_k)``; None for the first one.
        cross: keys and values of the memory, each ``(batch, heads, source_length, d_k)``, from ``keys_and_values``.
        self_mask: bool, broadcastable to ``(batch, heads, 1, length + 1)``; True = may be attended to.
        memory_mask: bool, broadcastable to ``(batch, heads, 1, source_length)``; True = may be attended to.

    Returns:
        The block's output at the new position, ``(batch, 1, d_model)``, and the longer cache.

    Raises:
        ValueError: if x, a cache or a mask does not fit.
    """

    def attend_to_self(x: Tensor) -> Tensor:
        nonlocal cache
        output, cache = cached_attention(block.self_attention, x, cache, self_mask)
        return output

    def attend_to_source(x: Tensor) -> Tensor:
        attention = block.cross_attention
        query = split_heads(attention.w_query(x), attention.num_heads)  # (batch, heads, 1, d_k)
        return attention.w_output(merge_heads(fused_attention(query, *cross, memory_mask)))  # (batch, 1, d_model)

    x = residual(x, attend_to_self, block.norm_1, block.dropout, block.norm_first)
    x = residual(x, attend_to_source, block.norm_2, block.dropout, block.norm_first)
    return residual(x, block.feed_forward, block.norm_3, block.dropout, block.norm_first), cache


def keys_and_values(attention: MultiHeadAttention, memory: Tensor) -> Cache:
    """Project the memory ``(batch, source_length, d_model)``: each ``(batch, heads, source_length, d_k)``."""
    return tuple(split_heads(project(memory), attention.num_heads) for project in (attention.w_key, attention.w_value))


class CachedDecoder:
    """Decode with a Transformer, one token at a time, with kept keys and values.

    Args:
        model: a Transformer for which ``can_decode`` holds.

    Raises:
        ValueError: if it does not hold.
    """

    def __init__(self, model: Transformer):
        if not can_decode(model):
            raise ValueError(f"model: expected an unchanged Transformer of the course, got {type(model).__name__}")
        self.model = model

    def start_decoding(self, source: Tensor) -> State:
        """Read the source, and keep all that writing needs of it.

        Args:
            source: token ids ``(batch, source_length)``.

        Returns:
            The state before the first token, all of it with batch in dimension 0. ``"target"`` holds the tokens that
            were read, ``(batch, length)``; ``"self"`` for each block the keys and values of those tokens, or None
            before the first; ``"cross"`` for each block those of the memory; ``"memory_mask"`` the source's padding
            mask, or None.
        """
        memory = self.model.encode(source)  # (batch, source_length, d_model)
        return {
            "target": source[:, :0],
            "self": [None for _ in self.model.decoder_blocks],
            "cross": [keys_and_values(block.cross_attention, memory) for block in self.model.decoder_blocks],
            "memory_mask": padding_mask_or_none(source, self.model.pad_id),
        }

    def decode_step(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        """Read one more token of each sentence and say which comes next.

        Args:
            tokens: token ids ``(batch,)``, BOS at first.
            state: from ``start_decoding`` or the step before. It is not changed.

        Returns:
            The logits ``(batch, target_vocab_size)``, equal to the last row of ``decode``, and the state after the
            token.

        Raises:
            ValueError: if tokens do not fit the state, or more of them come than ``max_length``.
        """
        require_shape("tokens", tokens, (state["target"].shape[0],))
        length = state["target"].shape[1]
        target = torch.cat([state["target"], tokens.unsqueeze(1)], dim=1)  # (batch, length + 1)
        self_mask = self.model.target_mask(target)
        x = self.model.target_embedding(tokens.unsqueeze(1), start=length)  # (batch, 1, d_model)
        caches = []
        for block, cache, cross in zip(self.model.decoder_blocks, state["self"], state["cross"], strict=True):
            x, cache = decoder_block_step(block, x, cache, cross, self_mask, state["memory_mask"])
            caches.append(cache)
        logits = self.model.output_layer(self.model.decoder_norm(x)).squeeze(1)  # (batch, target_vocab_size)
        return logits, {**state, "target": target, "self": caches}


def can_decode(model: nn.Module) -> bool:
    """Find out whether ``CachedDecoder`` computes what this model does.

    It asks the decoder's modules for one position at a time, and goes past the calls of ``decode``, of the blocks and
    of their attention. A part that somebody has replaced may need all positions at once, and a hook may wait for a call
    that is never made: such a model decodes as it is, without a cache.

    Args:
        model: any model.

    Returns:
        True for a ``Transformer`` of the course, also one of a subclass that decodes in the same way, without hooks.
    """
    if not isinstance(model, Transformer) or type(model).decode is not Transformer.decode:
        return False
    stages = (model.target_embedding, model.decoder_blocks, model.decoder_norm, model.output_layer)
    parts = [part for stage in stages for part in stage.modules()]
    return all(type(part) in KNOWN and not part._forward_hooks and not part._forward_pre_hooks for part in parts)


def _check_cache(cache: Cache, key: Tensor) -> None:
    batch, heads, _, d_k = key.shape
    require_shape("cache[0]", cache[0], (batch, heads, "length", d_k))
    require_shape("cache[1]", cache[1], tuple(cache[0].shape))
