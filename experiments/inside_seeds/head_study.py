"""What chapter 12 measures of every head of a trained translator, for one model after the other.

Dimension names: ``heads``, all heads of one kind of attention, layer by layer; ``m`` queries and ``n`` keys of a map.
"""

import math
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from experiments.inside_seeds.contributions import projected_shares, value_norms
from transformer_course.common.tokens import BOS, EOS, PAD, Vocabulary
from transformer_course.data.batching import make_batches, make_examples
from transformer_course.data.sentences import SentencePair
from transformer_course.inside_attention import attention_entropy, head_alignment_error, head_importance
from transformer_course.interpret.interventions import head_says, weights_changed, what_heads_say
from transformer_course.interpret.recording import AttentionRecorder
from transformer_course.multi_head_attention import MultiHeadAttention
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


def own_confidence(weights: Tensor) -> Tensor:
    """Return the same for the decoder's own maps: without the first row, which has no choice; no key is EOS."""
    return weights[..., 1:, :].amax(dim=-1).mean(dim=-1)


@torch.no_grad()
def contributions(
    model: Transformer, kind: str, pair: SentencePair, source: Vocabulary, target: Vocabulary
) -> tuple[Tensor, Tensor, Tensor]:
    """Return weights, shares of what is added (by projection), and lengths of the values, for all heads of a kind.

    Shapes: ``(heads, m, n)`` twice, and ``(heads, n)``.
    """
    modules, seen = modules_of(model, kind), []
    handles = [module.register_forward_pre_hook(lambda _, inputs: seen.append(inputs[2])) for module in modules]
    try:
        weights = maps_of(model, pair, source, target)[kind]  # (layers, heads, m, n)
    finally:
        for handle in handles:
            handle.remove()
    calls = [(module, x, each.unsqueeze(0)) for module, x, each in zip(modules, seen, weights, strict=True)]
    shares = torch.cat([projected_shares(*call)[0] for call in calls])
    return weights.flatten(0, 1), shares, torch.cat([value_norms(module, x)[0] for module, x, _ in calls])


def sink(
    model: Transformer, kind: str, column: int, pairs: Sequence[SentencePair], source: Vocabulary, target: Vocabulary
) -> Tensor:
    """Measure one key, means over rows and sentences: ``(4, heads)``.

    Its weight; the weight that an even row would give it; its share of what is added, by projection; the length of its
    value over the mean length in the sentence. The decoder's first row, which has no choice, is left out.
    """
    rows = []
    for pair in pairs:
        weights, shares, norms = contributions(model, kind, pair, source, target)
        even = torch.full_like(weights, 1 / weights.shape[-1])
        if kind == "decoder self":
            even = torch.ones_like(weights).tril()
            even = (even / even.sum(dim=-1, keepdim=True))[:, 1:]
            weights, shares = weights[:, 1:], shares[:, 1:]
        of_rows = [each[..., column].mean(dim=-1) for each in (weights, even, shares)]
        rows.append(torch.stack([*of_rows, norms[:, column] / norms.mean(dim=-1)]))
    return torch.stack(rows).mean(dim=0)


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


def diagonal(target_length: int, source_length: int) -> Tensor:
    """Return the map that looks at the same relative place in the source, ``(1, 1, target_length, source_length)``."""
    places = ((torch.arange(target_length) + 0.5) * source_length / target_length).long()  # (target_length,)
    return torch.eye(source_length)[places][None, None]


def found_off_the_diagonal(maps: Sequence[Tensor], pairs: Sequence[SentencePair]) -> tuple[Tensor, int]:
    """Score heads on the words whose linked words all lie off the diagonal.

    Returns:
        For each head ``(heads,)`` the share of these words at which its darkest cell is a link, and how many they are.
    """
    hits, number = 0, 0
    for weights, pair in zip(maps, pairs, strict=True):
        shape = len(pair.target), len(pair.source)
        looks = weights[:, :, : shape[0], : shape[1]].argmax(dim=-1).flatten(0, 1)  # (heads, target_length)
        expected = diagonal(*shape).argmax(dim=-1).flatten().tolist()
        for row, place in enumerate(expected):
            linked = [column for i, column in pair.alignment if i == row]
            if linked and place not in linked:
                number += 1
                hits = hits + torch.isin(looks[:, row], torch.tensor(linked)).float()
    return hits / number, number


def places_by_table(
    train: Sequence[SentencePair],
    pairs: Sequence[SentencePair],
    contexts: Sequence[Callable[[tuple[str, ...], int, int], Hashable]],
) -> list[Tensor]:
    """Draw the maps of a rival that reads no source word: a row looks where most rows like it are linked in training.

    Args:
        train: pairs with gold alignments, in which links are counted.
        pairs: for which maps are drawn.
        contexts: what makes two rows alike, from the target sentence, the row and the source's length. The first one
            that was met in training decides; where none was, the row looks at its own number.

    Returns:
        For each pair ``(1, 1, target_length, source_length)``.
    """
    counts: list[dict] = [{} for _ in contexts]
    for pair in train:
        for row, column in pair.alignment:
            for count, context in zip(counts, contexts, strict=True):
                count.setdefault(context(pair.target, row, len(pair.source)), Counter())[column] += 1
    maps = []
    for pair in pairs:
        n, places = len(pair.source), []
        for row in range(len(pair.target)):
            met = (count.get(context(pair.target, row, n)) for count, context in zip(counts, contexts, strict=True))
            found = next((count for count in met if count), None)
            places.append(min(found.most_common(1)[0][0] if found else row, n - 1))
        maps.append(torch.eye(n)[places][None, None])
    return maps


def swapped(pair: SentencePair, place: int) -> SentencePair:
    """Exchange the source words at a place and at the next one; the links go with their words."""
    order = list(range(len(pair.source)))
    order[place], order[place + 1] = place + 1, place
    moved = frozenset((i, order[j]) for i, j in pair.alignment)
    return SentencePair(tuple(pair.source[j] for j in order), pair.target, moved)


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
def preference(model: Transformer, example: tuple, reads: int, source: Vocabulary, target: Vocabulary) -> float:
    """Return by how much the model prefers the second word of an example from ``minimal_pairs``, in logits.

    It reads the source of sentence ``reads`` (0 or 1), and the words before the difference, which both share.
    """
    one, other, place = example
    words = [target.encode([pair.target[place]])[0] for pair in (one, other)]
    inputs = torch.tensor([[BOS, *target.encode(one.target[:place])]])
    logits = model(torch.tensor([[*source.encode(example[reads].source), EOS]]), inputs)[0, -1]
    return (logits[words[1]] - logits[words[0]]).item()


def minds_changed(
    model: Transformer, examples: Sequence[tuple], number: int, source: Vocabulary, target: Vocabulary
) -> list[tuple]:
    """Keep the first examples in which the model prefers each sentence's own word."""
    kept = []
    for example in examples:
        if len(kept) == number:
            break
        before, after = (preference(model, example, reads, source, target) for reads in (0, 1))
        if before < 0 < after:
            kept.append(example)
    return kept


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
    for example in examples:
        before, after = (preference(model, example, reads, source, target) for reads in (0, 1))
        row = []
        for module in modules_of(model, kind):
            with what_heads_say(module) as said:
                preference(model, example, 1, source, target)
            for head in range(module.num_heads):
                with head_says(module, head, said[0][:, :, head]):
                    row.append((preference(model, example, 0, source, target) - before) / (after - before))
        rows.append(row)
    return torch.tensor(rows)


def distant_weights(
    model: Transformer,
    source: Tensor,
    target: Tensor,
    tolerance: float = 0.05,
    num_steps: int = 200,
    generator: torch.Generator | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
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
        tolerance (0 if none; at most ln 2); for random weights how far the next word's probabilities move (total
        variation distance), and their divergence. All ``(target_length,)``.
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

    first = [each.detach() for each in distances()]
    optimizer = torch.optim.Adam([scores], lr=0.1)
    best = torch.zeros(seen.shape[1])
    for _ in range(num_steps):
        moved, divergence = distances()
        best = torch.where(moved.detach() <= tolerance, torch.maximum(best, divergence.detach()), best)
        loss = (20 * (moved - 0.8 * tolerance).clamp(min=0) - divergence).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return best, *first
