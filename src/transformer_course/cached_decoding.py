"""Chapter 11: a whole decoder that writes one token at a time, with as little as possible between the matrix products.

Its attention is that of ``decoding.cached_attention``. For one token the modules themselves, with their calls, checks
and dropout that does nothing, take longer than the products in them; here the weights are taken out of the modules
once. The three projections of self-attention become one product, and weights and keys are kept in the order in which a
product with few rows reads them fastest on a CPU, for most sizes.

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
from transformer_course.masking import masked_softmax
from transformer_course.multi_head_attention import MultiHeadAttention, split_heads
from transformer_course.positional_encoding import TransformerEmbedding
from transformer_course.transformer import Transformer, padding_mask_or_none
from transformer_course.transformer_blocks import ACTIVATIONS, DecoderBlock, FeedForward, LayerNorm, residual

# What CachedDecoder knows how to compute.
KNOWN = {DecoderBlock, MultiHeadAttention, FeedForward, LayerNorm, nn.Linear, nn.Dropout, nn.Identity, nn.ModuleList}
KNOWN |= {TransformerEmbedding, nn.Embedding}
State = dict[str, Any]
# The keys ``(batch, heads, d_k, length + room)`` and the values ``(batch, heads, length + room, d_k)``.
Cache = tuple[Tensor, Tensor]
ROOM = 32  # positions for which an empty cache gets room


class Projection(NamedTuple):
    """The bias ``(d_out,)`` and the weight ``(d_in, d_out)`` of a linear map."""

    bias: Tensor
    weight: Tensor

    def __call__(self, x: Tensor) -> Tensor:
        """Map ``(batch, d_in)`` to ``(batch, d_out)``."""
        return torch.addmm(self.bias, x, self.weight)


class BlockWeights(NamedTuple):
    """All that a decoder block computes with; ``self_input`` holds w_query, w_key and w_value side by side.

    The queries come out divided by sqrt(d_k).
    """

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
        self._last_caches: list[Cache] = []  # those of the newest state, and how many positions they hold:
        self._num_kept = 0  # only behind these may the next token be written without a copy

    def start_decoding(self, source: Tensor) -> State:
        """Read the source, and keep all that writing needs of it.

        Args:
            source: token ids ``(batch, source_length)``.

        Returns:
            The state before the first token, all of it with batch in dimension 0. ``"target"`` holds the tokens that
            were read, ``(batch, length)``; ``"self"`` for each block the keys ``(batch, heads, d_k, length + room)``
            and the values ``(batch, heads, length + room, d_k)`` of those tokens, and room for more; ``"cross"`` for
            each block the same of the memory, without room; ``"memory_mask"`` the source's padding mask, or None.
        """
        memory = self.model.encode(source)  # (batch, source_length, d_model)
        cross, kept = [], []
        for block in self.model.decoder_blocks:
            attention, heads = block.cross_attention, block.cross_attention.num_heads
            key = split_heads(attention.w_key(memory), heads)  # (batch, heads, source_length, d_k)
            value = split_heads(attention.w_value(memory), heads)
            cross.append((key.transpose(-2, -1).contiguous(), value.contiguous()))
            empty = memory.new_empty(source.shape[0], heads, 0, attention.d_k)
            kept.append((empty.transpose(-2, -1), empty))
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
        x = self._embed(tokens, position=target.shape[1] - 1)  # (batch, d_model)
        caches = self._with_room(state["self"], length=state["target"].shape[1])
        for weights, cache, cross in zip(self.blocks, caches, state["cross"], strict=True):
            x = _step(weights, x, cache, target.shape[1], cross, self_mask, state["memory_mask"])
        self._last_caches, self._num_kept = caches, target.shape[1]
        logits = self.model.output_layer(self.model.decoder_norm(x))  # (batch, target_vocab_size)
        return logits, {**state, "target": target, "self": caches}

    def _embed(self, tokens: Tensor, position: int) -> Tensor:
        """Do what ``TransformerEmbedding.forward`` does, for one position."""
        embedding = self.model.target_embedding
        if position >= embedding.max_length:
            raise ValueError(
                f"tokens: expected at most max_length = {embedding.max_length} of them, got {position + 1}"
            )
        return F.embedding(tokens, embedding.token.weight) * embedding.d_model**0.5 + embedding.encoding[position]

    def _with_room(self, caches: list[Cache], length: int) -> list[Cache]:
        """Return caches into which position ``length`` can be written without changing what another state reads."""
        is_newest = len(caches) == len(self._last_caches) and length == self._num_kept
        is_newest = is_newest and all(a[0] is b[0] for a, b in zip(caches, self._last_caches, strict=True))
        if is_newest and length < caches[0][0].shape[3] and not torch.is_grad_enabled():
            return caches
        room = max(length, ROOM)  # it doubles, so that a token is copied once or twice in all, however many there are
        return [
            (
                torch.cat([key[..., :length], key.new_empty(*key.shape[:3], room)], dim=3),
                torch.cat([value[..., :length, :], value.new_empty(*value.shape[:2], room, value.shape[3])], dim=2),
            )
            for key, value in caches
        ]


def can_decode(model: nn.Module) -> bool:
    """Find out whether ``CachedDecoder`` computes what this model does: no part is replaced, nobody looks inside.

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


def _weights(block: DecoderBlock) -> BlockWeights:
    attention, cross, feed_forward = block.self_attention, block.cross_attention, block.feed_forward
    scale = attention.d_k**-0.5
    return BlockWeights(
        self_input=_side_by_side(
            _projection(attention.w_query, scale), _projection(attention.w_key), _projection(attention.w_value)
        ),
        self_output=_projection(attention.w_output),
        cross_query=_projection(cross.w_query, scale),
        cross_output=_projection(cross.w_output),
        linear_1=_projection(feed_forward.linear_1),
        linear_2=_projection(feed_forward.linear_2),
        norms=[_normalisation(norm) for norm in (block.norm_1, block.norm_2, block.norm_3)],
        activation=ACTIVATIONS[feed_forward.activation],
        norm_first=block.norm_first,
        num_heads=attention.num_heads,
    )


def _projection(linear: nn.Linear, scale: float = 1.0) -> Projection:
    bias = linear.weight.new_zeros(linear.out_features) if linear.bias is None else linear.bias
    return Projection(bias * scale, (linear.weight * scale).t().contiguous())


def _side_by_side(*projections: Projection) -> Projection:
    return Projection(torch.cat([p.bias for p in projections]), torch.cat([p.weight for p in projections], dim=1))


def _normalisation(norm: LayerNorm) -> Callable[[Tensor], Tensor]:
    return partial(
        torch.layer_norm, normalized_shape=norm.weight.shape, weight=norm.weight, bias=norm.bias, eps=norm.eps
    )


def _step(
    weights: BlockWeights,
    x: Tensor,
    cache: Cache,
    length: int,
    cross: Cache,
    self_mask: Tensor | None,
    memory_mask: Tensor | None,
) -> Tensor:
    """Do what ``DecoderBlock.forward`` does, for position ``length - 1``, and write its key and value to the cache."""

    def attend_to_self(x: Tensor) -> Tensor:
        query, key, value = weights.self_input(x).view(x.shape[0], 3, weights.num_heads, -1).unbind(1)
        cache[0][..., length - 1], cache[1][..., length - 1, :] = key, value  # both (batch, heads, d_k)
        heads = _attend(query, cache[0][..., :length], cache[1][..., :length, :], self_mask)
        return weights.self_output(heads)  # (batch, d_model)

    def attend_to_source(x: Tensor) -> Tensor:
        query = weights.cross_query(x).view(x.shape[0], weights.num_heads, -1)  # (batch, heads, d_k)
        return weights.cross_output(_attend(query, *cross, memory_mask))  # (batch, d_model)

    def feed_forward(x: Tensor) -> Tensor:
        return weights.linear_2(weights.activation(weights.linear_1(x)))

    for sublayer, norm in zip((attend_to_self, attend_to_source, feed_forward), weights.norms, strict=True):
        x = residual(x, sublayer, norm, _unchanged, weights.norm_first)
    return x


def _attend(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None) -> Tensor:
    """Attend with one query a head, ``(batch, heads, d_k)``, and return the heads side by side."""
    scores = query.unsqueeze(2) @ key  # (batch, heads, 1, length)
    weights = scores.softmax(dim=-1) if mask is None else masked_softmax(scores, mask)
    return (weights @ value).flatten(start_dim=1)  # (batch, d_model)


def _unchanged(x: Tensor) -> Tensor:
    return x
