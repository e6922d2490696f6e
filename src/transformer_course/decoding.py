"""Chapter 11: decoding with cached keys and values, and how good the translations are.

In a decoder the keys and values of a position do not change any more when later tokens come, for the causal mask hides
these. So they are computed once and kept: by one attention in ``cached_attention``, by a block in
``decoder_block_step``, by the whole model in ``CachedDecoder``, which ``translate`` uses. ``corpus_bleu`` says how good
translations are: it counts which of their words, pairs, triples, ... (n-grams) the references have too.

Source: Shazeer (2019), "Fast Transformer Decoding: One Write-Head is All You Need", section 2.4; Vaswani et al. (2017),
"Attention Is All You Need", section 6.1 (beam search); Papineni et al. (2002), "BLEU: a Method for Automatic Evaluation
of Machine Translation".

Dimension names: ``batch`` sentences, or hypotheses in beam search; ``heads``; ``length`` tokens that are written so
far; ``d_k`` the width of one head; ``vocab_size`` tokens to choose from.
"""

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from transformer_course.common.modes import evaluating
from transformer_course.common.tokens import BOS, EOS, PAD
from transformer_course.common.validation import (
    require_cache,
    require_corpus,
    require_floating,
    require_not_negative,
    require_positive,
    require_shape,
)
from transformer_course.multi_head_attention import MultiHeadAttention, fused_attention, merge_heads, split_heads
from transformer_course.positional_encoding import TransformerEmbedding
from transformer_course.rnn_encoder_decoder import beam_search, greedy_decode
from transformer_course.sequence_transduction import pad_sequences
from transformer_course.transformer import Transformer, padding_mask_or_none
from transformer_course.transformer_blocks import DecoderBlock, residual

Cache = tuple[Tensor, Tensor]
State = dict[str, Any]


def cached_attention(
    attention: MultiHeadAttention, x: Tensor, cache: Cache | None, mask: Tensor | None = None
) -> tuple[Tensor, Cache]:
    """Let one new position attend to itself and to the positions before it, whose keys and values are kept.

    Source: Shazeer (2019), section 2.4.

    Args:
        attention: the self-attention of a decoder.
        x: ``(batch, 1, d_model)``, the new position.
        cache: keys and values of the positions before, each ``(batch, heads, length, d_k)``; None for the first one.
        mask: bool, broadcastable to ``(batch, heads, 1, length + 1)``; True = may be attended to; None hides nothing.

    Returns:
        The output ``(batch, 1, d_model)``, without a mask equal to the last row of causal attention over all positions,
        and the longer cache. The cache that came in is not changed.
    """
    require_shape("x", x, ("batch", 1, attention.d_model))
    require_floating("x", x)
    query, key, value = (
        split_heads(projection(x), attention.num_heads)  # (batch, heads, 1, d_k)
        for projection in (attention.w_query, attention.w_key, attention.w_value)
    )
    require_cache("cache", cache, (len(x), attention.num_heads, "length", attention.d_k))
    if cache is not None:
        key, value = torch.cat([cache[0], key], dim=2), torch.cat([cache[1], value], dim=2)
    heads = fused_attention(query, key, value, mask)  # (batch, heads, 1, d_k)
    return attention.w_output(merge_heads(heads)), (key, value)


def decoder_block_step(
    block: DecoderBlock,
    x: Tensor,
    cache: Cache | None,
    cross: Cache,
    memory_mask: Tensor | None = None,
) -> tuple[Tensor, Cache]:
    """Pass one new position through a decoder block: the sublayers of its ``forward``, with keys and values kept.

    Args:
        block: a decoder block.
        x: ``(batch, 1, d_model)``, the new position.
        cache: as in ``cached_attention``.
        cross: keys and values of the memory, each ``(batch, heads, source_length, d_k)``, from ``keys_and_values``.
        memory_mask: bool, broadcastable to ``(batch, heads, 1, source_length)``; True = may be attended to.

    Returns:
        The block's output at the new position, ``(batch, 1, d_model)``, and the longer cache.
    """
    longer = None

    def attend_to_self(inputs: Tensor) -> Tensor:
        nonlocal longer  # `residual` wants a function that returns one tensor: the cache goes out through this name
        output, longer = cached_attention(block.self_attention, inputs, cache)
        return output

    def attend_to_source(inputs: Tensor) -> Tensor:
        attention = block.cross_attention
        query = split_heads(attention.w_query(inputs), attention.num_heads)  # (batch, heads, 1, d_k)
        return attention.w_output(merge_heads(fused_attention(query, *cross, memory_mask)))  # (batch, 1, d_model)

    x = residual(x, attend_to_self, block.norm_1, block.dropout, block.norm_first)
    x = residual(x, attend_to_source, block.norm_2, block.dropout, block.norm_first)
    return residual(x, block.feed_forward, block.norm_3, block.dropout, block.norm_first), longer


def keys_and_values(attention: MultiHeadAttention, memory: Tensor) -> Cache:
    """Project ``(batch, source_length, d_model)`` to keys and to values ``(batch, heads, source_length, d_k)``."""
    return tuple(split_heads(project(memory), attention.num_heads) for project in (attention.w_key, attention.w_value))


class CachedDecoder:
    """Decode with a Transformer, one token at a time, with kept keys and values.

    Without a cache, n tokens cost n (n + 1) / 2 passes of a position through the decoder; with it they cost n.
    It calls neither ``decode`` nor the ``forward`` of a decoder block or its attention, but their parts, one position
    at a time. What hangs on those calls, a hook or an own ``forward``, would be skipped: see ``can_decode``.

    Args:
        model: a Transformer for which ``can_decode`` holds.
    """

    def __init__(self, model: Transformer):
        if not can_decode(model):
            raise ValueError(f"model: expected an unchanged Transformer without hooks, got {type(model).__name__}")
        self.model = model

    def start_decoding(self, source: Tensor) -> State:
        """Read the source, and keep all that writing needs of it.

        Args:
            source: token ids ``(batch, source_length)``.

        Returns:
            The state before the first token; every tensor has batch in dimension 0. ``"target"`` holds the tokens that
            were read, ``(batch, length)``, whose number is the next position; ``"self"`` for each block their keys and
            values, or None before the first; ``"cross"`` for each block those of the memory; ``"memory_mask"`` the
            source's padding mask, or None.
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
            The logits ``(batch, target_vocab_size)``, in evaluation mode equal to the last row of ``decode``, and the
            state after the token.

        Raises:
            ValueError: if more tokens come than ``max_length``.
        """
        require_shape("tokens", tokens, (state["target"].shape[0],))
        length = state["target"].shape[1]
        target = torch.cat([state["target"], tokens.unsqueeze(1)], dim=1)  # (batch, length + 1)
        x = self.model.target_embedding(tokens.unsqueeze(1), start=length)  # (batch, 1, d_model)
        caches = []
        for block, cache, cross in zip(self.model.decoder_blocks, state["self"], state["cross"], strict=True):
            x, longer = decoder_block_step(block, x, cache, cross, state["memory_mask"])
            caches.append(longer)
        logits = self.model.output_layer(self.model.decoder_norm(x)).squeeze(1)  # (batch, target_vocab_size)
        return logits, {**state, "target": target, "self": caches}


def can_decode(model: nn.Module) -> bool:
    """Say whether nothing is lost when ``decode``, blocks and attention are bypassed: all unchanged, without hooks."""
    if not isinstance(model, Transformer) or type(model).decode is not Transformer.decode or "decode" in vars(model):
        return False
    if not isinstance(model.target_embedding, TransformerEmbedding):
        return False
    blocks = list(model.decoder_blocks)
    if any(type(block) is not DecoderBlock for block in blocks):
        return False
    attentions = [attention for block in blocks for attention in (block.self_attention, block.cross_attention)]
    parts = (*blocks, *attentions)
    changed = any(part._forward_hooks or part._forward_pre_hooks or "forward" in vars(part) for part in parts)
    return not changed and all(type(attention) is MultiHeadAttention for attention in attentions)


def translate(
    model: nn.Module, source: Tensor, max_length: int, beam_width: int = 1, alpha: float = 0.6, use_cache: bool = True
) -> Tensor:
    """Write the translations of a batch of sentences.

    Source: Vaswani et al. (2017), section 6.1, where beam_width is 4 and alpha 0.6.

    Args:
        model: a module with ``encode(source)`` and ``decode(target, memory, source)`` as ``Transformer`` has them, or
            with ``start_decoding(source)`` and ``decode_step(tokens, state)``. A Transformer keeps keys and values if
            ``can_decode`` holds. Every module comes back in the mode in which it was. Its attributes ``bos_id``,
            ``eos_id`` and ``pad_id`` count, where it has them, in the place of the course's tokens.
        source: token ids ``(batch, source_length)``.
        max_length: number of tokens after which a sentence is cut, EOS counted.
        beam_width: 1 takes the most probable token each time; more searches for each sentence with so many hypotheses.
        alpha: exponent of the length penalty of beam search.
        use_cache: False computes everything anew for each token: the same tokens, up to rounding. A model that has
            ``decode_step`` takes its own steps either way.

    Returns:
        int64 ``(batch, <= max_length)``, without BOS, with EOS and padding after it.

    Raises:
        ValueError: if a sentence, or a hypothesis of the search, outgrows the model's positions, or logits are NaN.
    """
    require_shape("source", source, ("batch", "source_length"))
    require_not_negative("max_length", max_length)
    require_positive("beam_width", beam_width)
    decoder = _choose_decoder(model, use_cache)
    bos, eos, pad = getattr(model, "bos_id", BOS), getattr(model, "eos_id", EOS), getattr(model, "pad_id", PAD)
    with torch.no_grad(), evaluating(model):
        if beam_width == 1:
            state = decoder.start_decoding(source)
            return greedy_decode(decoder.decode_step, state, len(source), max_length, bos, eos, pad)
        best = []
        for row in source:
            state = decoder.start_decoding(_without_padding(row, pad).unsqueeze(0))  # one sentence alone needs none
            hypotheses = beam_search(decoder.decode_step, state, beam_width, max_length, alpha, bos, eos)
            best.append(hypotheses[0][0])  # the tokens of the first: each is a pair of tokens and score
        return pad_sequences(best, pad).to(source.device)


def corpus_bleu(hypotheses: Sequence[Sequence[Any]], references: Sequence[Sequence[Any]], max_order: int = 4) -> float:
    """Compare translations with references: how many of their words, pairs, triples, ... occur there too.

    Counts are added up over the whole corpus before anything is divided: the mean of sentence scores is another number.

    Source: Papineni et al. (2002), sections 2.1 to 2.3.

    Args:
        hypotheses: the translations, each a list of tokens, words or ids, without EOS and padding.
        references: one reference for each, likewise.
        max_order: number of tokens in the longest n-grams that are counted.

    Returns:
        BLEU from 0 to 100, the geometric mean of the n-gram precisions times the brevity penalty. 0 if for some n no
        n-gram of all hypotheses is right, or none has n tokens.

    Raises:
        ValueError: if there are not as many references as hypotheses, a text is a string or a tensor instead of a list
            of tokens, or max_order is not positive.
    """
    require_positive("max_order", max_order)
    require_corpus(hypotheses, references)
    matches, total = [0] * max_order, [0] * max_order
    for hypothesis, reference in zip(hypotheses, references, strict=True):
        for n in range(1, max_order + 1):
            hypothesis_ngrams, reference_ngrams = _ngrams(hypothesis, n), _ngrams(reference, n)
            # & is the smaller count: a word counts at most as often as it stands in the reference.
            matches[n - 1] += (hypothesis_ngrams & reference_ngrams).total()
            total[n - 1] += hypothesis_ngrams.total()
    if min(matches) == 0:
        return 0.0
    log_precision = sum(math.log(m / t) for m, t in zip(matches, total, strict=True)) / max_order
    hypothesis_length, reference_length = sum(map(len, hypotheses)), sum(map(len, references))
    log_brevity_penalty = min(0.0, 1 - reference_length / hypothesis_length)
    return 100 * math.exp(log_precision + log_brevity_penalty)


class _Uncached:
    """Decode with nothing but ``encode`` and ``decode``: each new token computes all before it again."""

    def __init__(self, model: nn.Module):
        self.model = model

    def start_decoding(self, source: Tensor) -> dict[str, Tensor]:
        return {"memory": self.model.encode(source), "source": source, "target": source[:, :0]}

    def decode_step(self, tokens: Tensor, state: dict[str, Tensor]) -> tuple[Tensor, dict[str, Tensor]]:
        target = torch.cat([state["target"], tokens.unsqueeze(1)], dim=1)  # (batch, length + 1)
        logits = self.model.decode(target, state["memory"], state["source"])[:, -1]  # (batch, vocab_size)
        return logits, {**state, "target": target}


def _choose_decoder(model: nn.Module, use_cache: bool) -> Any:
    """Choose what takes the steps: the model itself if it can, cached decoding for a Transformer, or all anew."""
    if hasattr(model, "start_decoding") and hasattr(model, "decode_step"):
        return model
    return CachedDecoder(model) if use_cache and can_decode(model) else _Uncached(model)


def _without_padding(row: Tensor, pad_id: int) -> Tensor:
    real = (row != pad_id).nonzero()
    return row[: int(real[-1]) + 1] if len(real) else row


def _ngrams(tokens: Sequence[Any], n: int) -> Counter:
    return Counter(zip(*(tokens[start:] for start in range(n)), strict=False))
