"""Chapter 11: decoding with cached keys and values, and how good the translations are.

Source: Vaswani et al. (2017), "Attention Is All You Need", section 6.1 (beam search); Papineni et al. (2002), "BLEU: a
Method for Automatic Evaluation of Machine Translation".

Dimension names: ``batch`` sentences, or hypotheses in beam search; ``heads``; ``length`` tokens that are written so
far; ``d_k`` the width of one head; ``vocab_size`` tokens to choose from.
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn

from transformer_course.common.tokens import PAD
from transformer_course.common.validation import (
    require_floating,
    require_mask,
    require_not_negative,
    require_positive,
    require_shape,
)
from transformer_course.multi_head_attention import MultiHeadAttention, fused_attention, merge_heads, split_heads
from transformer_course.rnn_encoder_decoder import Step, beam_search, greedy_decode
from transformer_course.sequence_transduction import pad_sequences
from transformer_course.transformer import Transformer, padding_mask_or_none
from transformer_course.transformer_blocks import DecoderBlock, residual

Cache = tuple[Tensor, Tensor]


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
        ValueError: if x is not one position, or the cache does not fit.
    """
    require_shape("x", x, ("batch", 1, attention.d_model))
    require_floating("x", x)
    key, value = keys_and_values(attention, x)  # each (batch, heads, 1, d_k)
    if cache is not None:
        _check_cache(cache, key)
        # The new position comes last: the order of keys does not matter to attention, but to whoever reads the cache.
        key, value = torch.cat([cache[0], key], dim=2), torch.cat([cache[1], value], dim=2)
    if mask is not None:
        require_mask(mask, (*key.shape[:2], 1, key.shape[2]))
    return _attend(attention, x, key, value, mask), (key, value)


def keys_and_values(attention: MultiHeadAttention, x: Tensor) -> Cache:
    """Project positions to the keys and values of all heads: the part of attention that can be kept.

    Args:
        attention: any attention.
        x: ``(batch, length, d_model)``.

    Returns:
        Keys and values, each ``(batch, heads, length, d_k)``.
    """
    return split_heads(attention.w_key(x), attention.num_heads), split_heads(attention.w_value(x), attention.num_heads)


def start_decoding(model: Transformer, source: Tensor) -> dict[str, Any]:
    """Read the source, and keep all that writing needs of it.

    Args:
        model: a Transformer.
        source: token ids ``(batch, source_length)``.

    Returns:
        The state before the first token, all of it with batch in dimension 0: ``"cross"``, the keys and values of the
        memory, which stay the same, and ``"self"``, those of the written tokens, which grow (one pair per block);
        ``"source"``, the tokens, for their padding, and ``"target"``, the tokens that were read, ``(batch, length)``.
    """
    memory = model.encode(source)  # (batch, source_length, d_model)
    cross = [keys_and_values(block.cross_attention, memory) for block in model.decoder_blocks]
    empty = [keys_and_values(block.self_attention, memory[:, :0]) for block in model.decoder_blocks]
    return {"source": source, "target": source[:, :0], "cross": cross, "self": empty}


def decode_step(model: Transformer, tokens: Tensor, state: dict[str, Any]) -> tuple[Tensor, dict[str, Any]]:
    """Read one more token of each sentence and say which comes next: one row of ``decode`` at the price of one row.

    Args:
        model: the Transformer that started.
        tokens: token ids ``(batch,)``, BOS at first.
        state: from ``start_decoding`` or the step before.

    Returns:
        The logits ``(batch, target_vocab_size)`` and the state after the token.

    Raises:
        ValueError: if tokens do not fit the state, or more of them come than ``max_length``.
    """
    require_shape("tokens", tokens, (state["source"].shape[0],))
    target = torch.cat([state["target"], tokens.unsqueeze(1)], dim=1)  # (batch, length + 1)
    memory_mask = padding_mask_or_none(state["source"], model.pad_id)
    self_mask = padding_mask_or_none(target, model.pad_id)
    x = model.target_embedding(target[:, -1:], start=target.shape[1] - 1)  # (batch, 1, d_model)
    caches = []
    for block, cross, cache in zip(model.decoder_blocks, state["cross"], state["self"], strict=True):
        x, cache = _block_step(block, x, cache, cross, self_mask, memory_mask)
        caches.append(cache)
    logits = model.output_layer(model.decoder_norm(x)).squeeze(1)  # (batch, target_vocab_size)
    return logits, {**state, "target": target, "self": caches}


def translate(
    model: nn.Module, source: Tensor, max_length: int, beam_width: int = 1, alpha: float = 0.6, use_cache: bool = True
) -> Tensor:
    """Write the translations of a batch of sentences.

    Source: Vaswani et al. (2017), section 6.1, where beam_width is 4 and alpha 0.6.

    Args:
        model: anything with ``encode(source)`` and ``decode(target, memory, source)`` as ``Transformer`` has them, or
            with ``start_decoding(source)`` and ``decode_step(tokens, state)``. A Transformer of the course decodes
            with cached keys and values. Every module of it comes back in the mode in which it was.
        source: token ids ``(batch, source_length)``.
        max_length: number of tokens after which a sentence is cut, EOS counted.
        beam_width: 1 takes the most probable token each time; more searches for each sentence with so many hypotheses.
        alpha: exponent of the length penalty of beam search.
        use_cache: False computes everything anew for each token, which gives the same tokens.

    Returns:
        int64 ``(batch, <= max_length)``: no BOS, EOS kept, padding after it.

    Raises:
        ValueError: if source has other than two dimensions, beam_width is not positive or max_length is negative.
    """
    require_shape("source", source, ("batch", "source_length"))
    require_not_negative("max_length", max_length)
    require_positive("beam_width", beam_width)
    pad_id = getattr(model, "pad_id", PAD)
    with torch.no_grad(), _evaluating(model):
        if beam_width == 1:
            step, state = _stepper(model, source, use_cache)
            return greedy_decode(step, state, source.shape[0], max_length, pad_id=pad_id)
        best = []
        for row in source:
            step, state = _stepper(model, _without_padding(row, pad_id).unsqueeze(0), use_cache)
            tokens, _score = beam_search(step, state, beam_width, max_length, alpha)[0]
            best.append(tokens)
    return pad_sequences(best, pad_id).to(source.device)


def corpus_bleu(hypotheses: Sequence[Sequence[Any]], references: Sequence[Sequence[Any]], max_order: int = 4) -> float:
    """Compare translations with references: how many of their words, pairs, triples, ... occur there too.

    Counts are added up over the whole corpus before anything is divided: the mean of sentence scores is another number.

    Source: Papineni et al. (2002), section 2.3; Post (2018), "A Call for Clarity in Reporting BLEU Scores".

    Args:
        hypotheses: the translations, each a list of tokens.
        references: one reference for each, a list of tokens.
        max_order: longest n-gram.

    Returns:
        BLEU from 0 to 100: the geometric mean of the n-gram precisions times the brevity penalty. 0 if for some n no
        n-gram of all hypotheses is right.

    Raises:
        ValueError: if there are not as many references as hypotheses, a text is not cut into tokens, or max_order is
            not positive.
    """
    require_positive("max_order", max_order)
    _check_corpus(hypotheses, references)
    right, written = [0] * max_order, [0] * max_order
    for hypothesis, reference in zip(hypotheses, references, strict=True):
        for n in range(1, max_order + 1):
            found, wanted = _ngrams(hypothesis, n), _ngrams(reference, n)
            right[n - 1] += (found & wanted).total()  # & is the smaller count: a word counts as often as it is wanted
            written[n - 1] += found.total()
    if min(right) == 0:
        return 0.0
    log_precision = sum(math.log(r / w) for r, w in zip(right, written, strict=True)) / max_order
    hypothesis_length, reference_length = sum(map(len, hypotheses)), sum(map(len, references))
    log_brevity_penalty = min(0.0, 1 - reference_length / hypothesis_length)
    return 100 * math.exp(log_precision + log_brevity_penalty)


def _block_step(
    block: DecoderBlock, x: Tensor, cache: Cache, cross: Cache, self_mask: Tensor | None, memory_mask: Tensor | None
) -> tuple[Tensor, Cache]:
    """Do what ``DecoderBlock.forward`` does, for one position ``(batch, 1, d_model)``."""

    def attend_to_self(x: Tensor) -> Tensor:
        nonlocal cache
        output, cache = cached_attention(block.self_attention, x, cache, self_mask)
        return output

    def attend_to_source(x: Tensor) -> Tensor:
        return _attend(block.cross_attention, x, *cross, memory_mask)

    x = residual(x, attend_to_self, block.norm_1, block.dropout, block.norm_first)
    x = residual(x, attend_to_source, block.norm_2, block.dropout, block.norm_first)
    return residual(x, block.feed_forward, block.norm_3, block.dropout, block.norm_first), cache


def _attend(attention: MultiHeadAttention, x: Tensor, key: Tensor, value: Tensor, mask: Tensor | None) -> Tensor:
    query = split_heads(attention.w_query(x), attention.num_heads)  # (batch, heads, 1, d_k)
    return attention.w_output(merge_heads(fused_attention(query, key, value, mask)))  # (batch, 1, d_model)


def _stepper(model: nn.Module, source: Tensor, use_cache: bool) -> tuple[Step, Any]:
    """Choose how to write with this model: the step for ``greedy_decode`` and ``beam_search``, and its first state."""
    if hasattr(model, "start_decoding") and hasattr(model, "decode_step"):
        return model.decode_step, model.start_decoding(source)
    if use_cache and _is_of_the_course(model):
        return lambda tokens, state: decode_step(model, tokens, state), start_decoding(model, source)

    def step(tokens: Tensor, state: dict[str, Tensor]) -> tuple[Tensor, dict[str, Tensor]]:
        target = torch.cat([state["target"], tokens.unsqueeze(1)], dim=1)  # (batch, length + 1)
        logits = model.decode(target, state["memory"], state["source"])[:, -1]  # (batch, vocab_size)
        return logits, {**state, "target": target}

    return step, {"memory": model.encode(source), "source": source, "target": source[:, :0]}


def _is_of_the_course(model: nn.Module) -> bool:
    """Find out whether ``decode_step`` computes what ``decode`` of this model does: nothing of it is replaced."""
    return (
        isinstance(model, Transformer)
        and type(model).decode is Transformer.decode
        and all(type(block) is DecoderBlock for block in model.decoder_blocks)
    )


@contextmanager
def _evaluating(model: nn.Module) -> Iterator[None]:
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    try:
        yield
    finally:
        for module, mode in modes:
            module.training = mode


def _without_padding(row: Tensor, pad_id: int) -> Tensor:
    real = (row != pad_id).nonzero()
    return row[: int(real[-1]) + 1] if len(real) else row


def _ngrams(tokens: Sequence[Any], n: int) -> Counter:
    return Counter(zip(*(tokens[start:] for start in range(n)), strict=False))


def _check_cache(cache: Cache, key: Tensor) -> None:
    batch, heads, _, d_k = key.shape
    require_shape("cache[0]", cache[0], (batch, heads, "length", d_k))
    require_shape("cache[1]", cache[1], tuple(cache[0].shape))


def _check_corpus(hypotheses: Sequence[Sequence[Any]], references: Sequence[Sequence[Any]]) -> None:
    if len(hypotheses) != len(references):
        raise ValueError(f"references: expected one for each of {len(hypotheses)} hypotheses, got {len(references)}")
    for name, texts in (("hypotheses", hypotheses), ("references", references)):
        for index, text in enumerate(texts):
            if isinstance(text, str):
                raise ValueError(f"{name}: expected lists of tokens, got the string {text!r} at {index}")
