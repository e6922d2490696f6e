"""What chapter 12 measures of every head of a trained translator, for one model after the other.

Dimension names: ``heads``, all heads of one kind of attention, layer by layer; ``m`` queries and ``n`` keys of a map.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from transformer_course.common.tokens import BOS, EOS, PAD, Vocabulary
from transformer_course.data.batching import make_batches, make_examples
from transformer_course.data.sentences import SentencePair
from transformer_course.inside_attention import attention_entropy, head_alignment_error, head_importance
from transformer_course.interventions import head_says, what_heads_say
from transformer_course.multi_head_attention import MultiHeadAttention
from transformer_course.recording import AttentionRecorder
from transformer_course.sequence_transduction import label_smoothing_loss
from transformer_course.transformer import Transformer

KINDS = {"encoder": "encoder_blocks", "decoder self": "decoder_blocks", "cross": "cross_attention"}


class Sentences(NamedTuple):
    """Test sentences in batches of one source length, so that there is no padding among the source's keys."""

    batches: list
    num_tokens: int


def in_batches(pairs: Sequence[SentencePair], source: Vocabulary, target: Vocabulary) -> Sentences:
    """Sort pairs by the length of their source."""
    batches = []
    for length in sorted({len(pair.source) for pair in pairs}):
        same = [pair for pair in pairs if len(pair.source) == length]
        batches += make_batches(make_examples(same, source.encode, target.encode), 4_000)
    return Sentences(batches, sum(int((batch.target[:, 1:] != PAD).sum()) for batch in batches))


@torch.no_grad()
def nats_per_token(model: Transformer, sentences: Sentences) -> float:
    """Return the cross-entropy of the target tokens, EOS counted."""
    total = 0.0
    for batch in sentences.batches:
        labels = batch.target[:, 1:]
        loss = label_smoothing_loss(model(batch.source, batch.target[:, :-1]), labels, smoothing=0.0)
        total += int((labels != PAD).sum()) * loss.item()
    return total / sentences.num_tokens


def modules_of(model: Transformer, kind: str) -> list[MultiHeadAttention]:
    """Return the attention modules of a kind, a key of ``KINDS``, first layer first."""
    if kind == "encoder":
        return [block.self_attention for block in model.encoder_blocks]
    name = "cross_attention" if kind == "cross" else "self_attention"
    return [getattr(block, name) for block in model.decoder_blocks]


@torch.no_grad()
def maps_of(model: Transformer, pair: SentencePair, source: Vocabulary, target: Vocabulary) -> dict[str, Tensor]:
    """Record one sentence pair: for each kind the maps ``(layers, heads, m, n)``.

    The source ends with EOS; the target begins with BOS, so row i stands before the word that it predicts.
    """
    with AttentionRecorder(model) as recorder:
        model(torch.tensor([[*source.encode(pair.source), EOS]]), torch.tensor([[BOS, *target.encode(pair.target)]]))
    found = {}
    for kind, containing in KINDS.items():
        wanted = "self_attention" if kind == "decoder self" else ""
        chosen = [weights[0] for name, weights in recorder.maps if containing in name and wanted in name]
        found[kind] = torch.stack(chosen)
    return found


def mean_over_sentences(maps: Sequence[Tensor], measure) -> Tensor:
    """Return the mean over sentences of a measure ``(layers, heads, m, n) -> (layers, heads)``, as one row of heads."""
    return torch.stack([measure(each) for each in maps]).mean(dim=0).flatten()


def confidence(weights: Tensor) -> Tensor:
    """Return the mean over rows of the largest weight, the last key left out: ``(layers, heads)``.

    Source: Voita et al. (2019), section 4, who leave out the end of the sentence too.
    """
    return weights[..., :-1].amax(dim=-1).mean(dim=-1)


def width(weights: Tensor) -> Tensor:
    """Return the mean over rows of entropy over the largest possible one, ln n: ``(layers, heads)``."""
    return (attention_entropy(weights) / math.log(weights.shape[-1])).mean(dim=-1)


def alignment_errors(maps: Sequence[Tensor], pairs: Sequence[SentencePair], shift: int) -> Tensor:
    """Score cross-attention as an aligner: row i for word i (shift 0), or for the word it has read (shift 1)."""
    cut = [
        weights[:, :, shift : len(pair.target) + shift, : len(pair.source)]
        for weights, pair in zip(maps, pairs, strict=True)
    ]
    return head_alignment_error(cut, [set(pair.alignment) for pair in pairs]).flatten()


def silencing(model: Transformer, kind: str, sentences: Sentences) -> Tensor:
    """Return by how much the loss rises if one head says zero: ``(heads,)``, in nats per token."""
    heads = [(module, head) for module in modules_of(model, kind) for head in range(module.num_heads)]
    return torch.tensor(head_importance(heads, lambda: -nats_per_token(model, sentences)))


@torch.no_grad()
def mean_ablation(model: Transformer, kind: str, sentences: Sentences) -> Tensor:
    """Return by how much the loss rises if one head always says its mean over all real positions: ``(heads,)``."""
    complete, rises = nats_per_token(model, sentences), []
    for module in modules_of(model, kind):
        with what_heads_say(module) as said:
            for batch in sentences.batches:
                model(batch.source, batch.target[:, :-1])
        real = [(batch.source if kind == "encoder" else batch.target[:, :-1]) != PAD for batch in sentences.batches]
        rows = torch.cat([each[keep] for each, keep in zip(said, real, strict=True)])  # (words, heads, d_k)
        for head in range(module.num_heads):
            with head_says(module, head, rows[:, head].mean(dim=0)):
                rises.append(nats_per_token(model, sentences) - complete)
    return torch.tensor(rises)


def rank_correlation(a: Tensor, b: Tensor) -> float:
    """Return Spearman's correlation of two rows of numbers without ties."""
    ranks = torch.stack([a.argsort().argsort().double(), b.argsort().argsort().double()])
    return torch.corrcoef(ranks)[0, 1].item()
