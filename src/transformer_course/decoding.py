"""Chapter 11: decoding with cached keys and values, and how good the translations are.

Source: Vaswani et al. (2017), "Attention Is All You Need", section 6.1 (beam search); Papineni et al. (2002), "BLEU: a
Method for Automatic Evaluation of Machine Translation".

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
from transformer_course.common.validation import require_corpus, require_not_negative, require_positive, require_shape
from transformer_course.generation.cached_decoding import CachedDecoder, cached_attention, can_decode
from transformer_course.rnn_encoder_decoder import beam_search, greedy_decode
from transformer_course.sequence_transduction import pad_sequences

# ``cached_attention`` stands in the module of the decoder that uses it, below this one.
__all__ = ["cached_attention", "corpus_bleu", "translate"]


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
        int64 ``(batch, <= max_length)``, without BOS, with EOS and padding after it.

    Raises:
        ValueError: if source has other than two dimensions, beam_width is not positive or max_length is negative.
    """
    require_shape("source", source, ("batch", "source_length"))
    require_not_negative("max_length", max_length)
    require_positive("beam_width", beam_width)
    writer = _writer(model, use_cache)
    with torch.no_grad(), evaluating(model):
        return _write(writer, source, max_length, beam_width, alpha, _special_ids(model))


def corpus_bleu(hypotheses: Sequence[Sequence[Any]], references: Sequence[Sequence[Any]], max_order: int = 4) -> float:
    """Compare translations with references: how many of their words, pairs, triples, ... occur there too.

    Counts are added up over the whole corpus before anything is divided: the mean of sentence scores is another number.

    Source: Papineni et al. (2002), section 2.3; Post (2018), "A Call for Clarity in Reporting BLEU Scores".

    Args:
        hypotheses: the translations, each a list of tokens, words or ids, without EOS and padding.
        references: one reference for each, likewise.
        max_order: longest n-gram.

    Returns:
        BLEU from 0 to 100, the geometric mean of the n-gram precisions times the brevity penalty. 0 if for some n no
        n-gram of all hypotheses is right.

    Raises:
        ValueError: if there are not as many references as hypotheses, a text is no list of tokens, as a string or a
            tensor is none, or max_order is not positive.
    """
    require_positive("max_order", max_order)
    require_corpus(hypotheses, references)
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


def _special_ids(model: nn.Module) -> dict[str, int]:
    """Ask the model which tokens mean beginning, end and padding; by default those of the course."""
    return {name: getattr(model, name, token) for name, token in (("bos_id", BOS), ("eos_id", EOS), ("pad_id", PAD))}


def _write(writer: Any, source: Tensor, max_length: int, beam_width: int, alpha: float, ids: dict[str, int]) -> Tensor:
    pad_id = ids["pad_id"]
    if beam_width == 1:
        state = writer.start_decoding(source)
        return greedy_decode(writer.decode_step, state, source.shape[0], max_length, **ids)
    best = []
    for row in source:
        state = writer.start_decoding(_without_padding(row, pad_id).unsqueeze(0))
        tokens, _score = beam_search(
            writer.decode_step, state, beam_width, max_length, alpha, ids["bos_id"], ids["eos_id"]
        )[0]
        best.append(tokens)
    return pad_sequences(best, pad_id).to(source.device)


class _Uncached:
    """Write with nothing but ``encode`` and ``decode``: each new token computes all positions before it again."""

    def __init__(self, model: nn.Module):
        self.model = model

    def start_decoding(self, source: Tensor) -> dict[str, Tensor]:
        return {"memory": self.model.encode(source), "source": source, "target": source[:, :0]}

    def decode_step(self, tokens: Tensor, state: dict[str, Tensor]) -> tuple[Tensor, dict[str, Tensor]]:
        target = torch.cat([state["target"], tokens.unsqueeze(1)], dim=1)  # (batch, length + 1)
        logits = self.model.decode(target, state["memory"], state["source"])[:, -1]  # (batch, vocab_size)
        return logits, {**state, "target": target}


def _writer(model: nn.Module, use_cache: bool) -> Any:
    """Choose what takes the steps: the model itself if it can, cached decoding for a Transformer, or all anew."""
    if hasattr(model, "start_decoding") and hasattr(model, "decode_step"):
        return model
    return CachedDecoder(model) if use_cache and can_decode(model) else _Uncached(model)


def _without_padding(row: Tensor, pad_id: int) -> Tensor:
    real = (row != pad_id).nonzero()
    return row[: int(real[-1]) + 1] if len(real) else row


def _ngrams(tokens: Sequence[Any], n: int) -> Counter:
    return Counter(zip(*(tokens[start:] for start in range(n)), strict=False))
