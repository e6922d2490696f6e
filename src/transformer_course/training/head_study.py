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
from transformer_course.interventions import head_says, weights_changed, what_heads_say
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


def minimal_pairs(pairs: Sequence[SentencePair], number: int) -> list[tuple[SentencePair, SentencePair, int]]:
    """Find pairs of sentences that differ in one source word and in one target word: both, and the target's place."""
    found, seen = [], {}
    for pair in pairs:
        for place in range(len(pair.source)):
            key = (*pair.source[:place], None, *pair.source[place + 1 :])
            other = seen.setdefault(key, pair)
            differs = [i for i, (a, b) in enumerate(zip(pair.target, other.target, strict=False)) if a != b]
            if len(differs) == 1 and len(pair.target) == len(other.target):
                found.append((other, pair, differs[0]))
                seen[key] = pair
    step = max(1, len(found) // number)
    return found[::step][:number]


@torch.no_grad()
def patching(
    model: Transformer, kind: str, examples: Sequence[tuple], source: Vocabulary, target: Vocabulary
) -> Tensor:
    """Let one head report on the other sentence: how much of the model's change of mind does it carry?

    Source: Vig et al. (2020), section 4, the indirect effect of a component.

    Args:
        model: the translator.
        kind: of attention, a key of ``KINDS``.
        examples: from ``minimal_pairs``.
        source: vocabulary of the source.
        target: vocabulary of the target.

    Returns:
        ``(examples, heads)``: by how much the difference of the two words' logits moves, over how much it moves
        when the whole source is the other one. 0 = the head carries nothing of it, 1 = all.
    """
    rows = []
    for one, other, place in examples:
        sources = [torch.tensor([[*source.encode(pair.source), EOS]]) for pair in (one, other)]
        inputs = torch.tensor([[BOS, *target.encode(one.target[:place])]])  # the same words for both
        words = [target.encode([pair.target[place]])[0] for pair in (one, other)]

        def preference(sentence: Tensor, inputs: Tensor = inputs, words: list[int] = words) -> float:
            logits = model(sentence, inputs)[0, -1]
            return (logits[words[1]] - logits[words[0]]).item()

        before, after, row = preference(sources[0]), preference(sources[1]), []
        for module in modules_of(model, kind):
            with what_heads_say(module) as said:
                preference(sources[1])
            for head in range(module.num_heads):
                with head_says(module, head, said[0][:, :, head]):
                    row.append((preference(sources[0]) - before) / (after - before))
        rows.append(row)
    return torch.tensor(rows)


def distant_weights(
    model: Transformer,
    source: Tensor,
    target: Tensor,
    tolerance: float = 0.05,
    num_steps: int = 200,
    generator: torch.Generator | None = None,
) -> tuple[Tensor, Tensor]:
    """Look for other weights of the last cross-attention that give nearly the same next words.

    Source: Jain & Wallace (2019), section 4.2.2, adversarial attention; here for several heads at once.

    Args:
        model: the translator.
        source: one sentence, ``(1, source_length)``.
        target: its translation, BOS first, ``(1, target_length)``.
        tolerance: how far the next word's probabilities may move, in total variation distance.
        num_steps: of gradient descent.
        generator: where the first weights are drawn from.

    Returns:
        For each position the largest mean Jensen-Shannon divergence of the heads' rows that was found within the
        tolerance (0 if none; at most ln 2), and the mean total variation of random weights, ``(target_length,)``.
    """
    module = modules_of(model, "cross")[-1]
    with torch.no_grad(), AttentionRecorder(model) as recorder:
        usual = model(source, target)[0].softmax(dim=-1)  # (target_length, vocab_size)
    seen = next(weights for name, weights in reversed(recorder.maps) if "cross_attention" in name)[0]
    scores = torch.randn(seen.shape, generator=generator).mul_(2).requires_grad_()  # (heads, m, n)

    def distances() -> tuple[Tensor, Tensor]:
        other = scores.softmax(dim=-1)
        with weights_changed(module, lambda weights: other.unsqueeze(0)):
            now = model(source, target)[0].softmax(dim=-1)
        middle = (other + seen) / 2
        divergence = sum(
            (p * ((p + 1e-9) / (middle + 1e-9)).log()).sum(dim=-1) for p in (other, seen)
        ) / 2  # fmt: skip
        return (now - usual).abs().sum(dim=-1) / 2, divergence.mean(dim=0)

    first, _ = distances()
    optimizer = torch.optim.Adam([scores], lr=0.1)
    best = torch.zeros(seen.shape[1])
    for _ in range(num_steps):
        moved, divergence = distances()
        best = torch.where(moved.detach() <= tolerance, torch.maximum(best, divergence.detach()), best)
        loss = (20 * (moved - 0.8 * tolerance).clamp(min=0) - divergence).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return best, first.detach()
