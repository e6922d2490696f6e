"""Chapter 11: a whole decoder that writes one token at a time, with as little as possible between the matrix products.

Its attention is that of ``decoding.cached_attention``. For one token the modules themselves, with their calls, checks
and dropout that does nothing, take longer than the products in them; here the weights are taken out of the modules
once, and the three projections of self-attention become one product.

Dimension names: ``batch`` sentences, or hypotheses in beam search; ``heads``; ``length`` tokens that are written so
far; ``d_k`` the width of one head.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course.common.validation import require_shape
from transformer_course.multi_head_attention import MultiHeadAttention, fused_attention, split_heads
from transformer_course.transformer import Transformer, padding_mask_or_none
from transformer_course.transformer_blocks import ACTIVATIONS, DecoderBlock, FeedForward, LayerNorm, residual

# What CachedDecoder knows how to compute.
KNOWN = {DecoderBlock, MultiHeadAttention, FeedForward, LayerNorm, nn.Linear, nn.Dropout, nn.Identity, nn.ModuleList}
State = dict[str, Any]
ROOM = 32  # positions for which a cache that is full gets room: it is copied once in so many tokens


class Projection(NamedTuple):
    """The weight ``(d_out, d_in)`` and the bias ``(d_out,)`` of a linear map."""

    weight: Tensor
    bias: Tensor | None


class BlockWeights(NamedTuple):
    """All that a decoder block computes with; ``self_input`` holds the rows of w_query, w_key and w_value."""

    self_input: Projection
    self_output: Projection
    cross_query: Projection
    cross_output: Projection
    linear_1: Projection
    linear_2: Projection
    norms: list[Callable[[Tensor], Tensor]]
    activation: Callable[[Tensor], Tensor]
    norm_first: bool
    num_heads: int


class CachedDecoder:
    """Decode with a Transformer, one token at a time, with cached keys and values.

    It computes what ``Transformer.decode`` computes in eval mode, with the weights as they are now.

    Source: Shazeer (2019), "Fast Transformer Decoding: One Write-Head is All You Need", section 2.4.

    Args:
        model: a Transformer for which ``can_decode`` holds.

    Raises:
        ValueError: if it does not hold.
    """

    def __init__(self, model: Transformer):
        if not can_decode(model):
            raise ValueError(f"model: expected an unchanged Transformer of the course, got {type(model).__name__}")
        self.model = model
        self.blocks = [_weights(block) for block in model.decoder_blocks]
        self._last_caches: list[Tensor] = []  # those of the newest state, and how many positions they hold:
        self._num_kept = 0  # only behind these may the next token be written without a copy

    def start_decoding(self, source: Tensor) -> State:
        """Read the source, and keep all that writing needs of it.

        Args:
            source: token ids ``(batch, source_length)``.

        Returns:
            The state before the first token, all of it with batch in dimension 0. ``"target"``: the tokens that were
            read, ``(batch, length)``. ``"self"``: for each block one tensor ``(batch, 2, heads, length + room, d_k)``
            with the keys and the values of those tokens, and room for more. ``"cross"``: for each block the pair of
            keys and values of the memory, ``(batch, heads, source_length, d_k)``. ``"memory_mask"``: the source's
            padding mask, or None.
        """
        memory = self.model.encode(source)  # (batch, source_length, d_model)
        cross, kept = [], []
        for block in self.model.decoder_blocks:
            attention = block.cross_attention
            key, value = attention.w_key(memory), attention.w_value(memory)
            cross.append((split_heads(key, attention.num_heads), split_heads(value, attention.num_heads)))
            kept.append(memory.new_empty(source.shape[0], 2, attention.num_heads, 0, attention.d_k))
        mask = padding_mask_or_none(source, self.model.pad_id)
        return {"target": source[:, :0], "self": kept, "cross": cross, "memory_mask": mask}

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
        target = torch.cat([state["target"], tokens.unsqueeze(1)], dim=1)  # (batch, length + 1)
        self_mask = padding_mask_or_none(target, self.model.pad_id)
        x = self.model.target_embedding(tokens.unsqueeze(1), start=target.shape[1] - 1).squeeze(1)  # (batch, d_model)
        caches = self._with_room(state["self"], length=state["target"].shape[1])
        for weights, cache, cross in zip(self.blocks, caches, state["cross"], strict=True):
            x = _step(weights, x, cache, target.shape[1], cross, self_mask, state["memory_mask"])
        self._last_caches, self._num_kept = caches, target.shape[1]
        logits = self.model.output_layer(self.model.decoder_norm(x))  # (batch, target_vocab_size)
        return logits, {**state, "target": target, "self": caches}

    def _with_room(self, caches: list[Tensor], length: int) -> list[Tensor]:
        """Return caches into which position ``length`` can be written without changing what another state reads."""
        is_newest = len(caches) == len(self._last_caches) and length == self._num_kept
        is_newest = is_newest and all(a is b for a, b in zip(caches, self._last_caches, strict=True))
        if is_newest and length < caches[0].shape[3] and not torch.is_grad_enabled():
            return caches
        return [F.pad(cache[:, :, :, :length], (0, 0, 0, ROOM)) for cache in caches]


def can_decode(model: nn.Module) -> bool:
    """Find out whether ``CachedDecoder`` computes what this model does: no part is replaced, nobody looks inside.

    Args:
        model: any model.

    Returns:
        True for a ``Transformer`` of the course, also one of a subclass that decodes in the same way, without hooks.
    """
    if not isinstance(model, Transformer) or type(model).decode is not Transformer.decode:
        return False
    parts = [*model.decoder_blocks.modules(), *model.decoder_norm.modules(), model.output_layer]
    return all(type(part) in KNOWN and not part._forward_hooks and not part._forward_pre_hooks for part in parts)


def _weights(block: DecoderBlock) -> BlockWeights:
    attention, cross, feed_forward = block.self_attention, block.cross_attention, block.feed_forward
    inputs = [_projection(linear) for linear in (attention.w_query, attention.w_key, attention.w_value)]
    bias = None if inputs[0].bias is None else torch.cat([projection.bias for projection in inputs])
    return BlockWeights(
        self_input=Projection(torch.cat([projection.weight for projection in inputs]), bias),  # (3 * d_model, d_model)
        self_output=_projection(attention.w_output),
        cross_query=_projection(cross.w_query),
        cross_output=_projection(cross.w_output),
        linear_1=_projection(feed_forward.linear_1),
        linear_2=_projection(feed_forward.linear_2),
        norms=[_normalisation(norm) for norm in (block.norm_1, block.norm_2, block.norm_3)],
        activation=ACTIVATIONS[feed_forward.activation],
        norm_first=block.norm_first,
        num_heads=attention.num_heads,
    )


def _projection(linear: nn.Linear) -> Projection:
    return Projection(linear.weight, linear.bias)


def _normalisation(norm: LayerNorm) -> Callable[[Tensor], Tensor]:
    return partial(F.layer_norm, normalized_shape=norm.weight.shape, weight=norm.weight, bias=norm.bias, eps=norm.eps)


def _step(
    weights: BlockWeights,
    x: Tensor,
    cache: Tensor,
    length: int,
    cross: tuple[Tensor, Tensor],
    self_mask: Tensor | None,
    memory_mask: Tensor | None,
) -> Tensor:
    """Do what ``DecoderBlock.forward`` does, for position ``length - 1``, and write its key and value to the cache."""

    def attend_to_self(x: Tensor) -> Tensor:
        new = F.linear(x, *weights.self_input).view(x.shape[0], 3, weights.num_heads, 1, -1)  # 3: query, key, value
        cache[:, :, :, length - 1 : length] = new[:, 1:]
        past = cache[:, :, :, :length]  # (batch, 2, heads, length, d_k)
        heads = fused_attention(new[:, 0], past[:, 0], past[:, 1], self_mask)  # (batch, heads, 1, d_k)
        return F.linear(heads.flatten(start_dim=1), *weights.self_output)  # (batch, d_model)

    def attend_to_source(x: Tensor) -> Tensor:
        query = F.linear(x, *weights.cross_query).view(x.shape[0], weights.num_heads, 1, -1)
        heads = fused_attention(query, *cross, memory_mask)  # (batch, heads, 1, d_k)
        return F.linear(heads.flatten(start_dim=1), *weights.cross_output)  # (batch, d_model)

    def feed_forward(x: Tensor) -> Tensor:
        return F.linear(weights.activation(F.linear(x, *weights.linear_1)), *weights.linear_2)

    for sublayer, norm in zip((attend_to_self, attend_to_source, feed_forward), weights.norms, strict=True):
        x = residual(x, sublayer, norm, _unchanged, weights.norm_first)
    return x


def _unchanged(x: Tensor) -> Tensor:
    return x
