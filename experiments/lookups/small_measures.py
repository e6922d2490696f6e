"""What chapter 03 asks of its small translators: are they right, where do they look, and what if they look elsewhere?

Dimension names: ``batch`` sentences, ``target_length`` and ``source_length`` positions of the padded sentences.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course.common.tokens import PAD
from transformer_course.data.sentences import SentencePair
from transformer_course.data.toy_grammar import ARTICLES, FRENCH, LINKS, NOUNS, as_tensors, place_in_phrase
from transformer_course.rnn_encoder_decoder import greedy_decode


@torch.no_grad()
def share_translated(model: nn.Module, pairs: Sequence[SentencePair]) -> float:
    """Return the share of sentences that greedy decoding translates without a mistake."""
    source, target = as_tensors(pairs)
    written = greedy_decode(model.decode_step, model.start_decoding(source), len(pairs), target.shape[1])
    right = [tuple(FRENCH.decode(row)) == pair.target for row, pair in zip(written.tolist(), pairs, strict=True)]
    return sum(right) / len(right)


@torch.no_grad()
def word_maps(model: nn.Module, pairs: Sequence[SentencePair], shift: int = 0) -> list[Tensor]:
    """Return the map of each sentence, without the column of EOS, as ``head_alignment_error`` takes them.

    Args:
        model: a translator with ``attention_weights``.
        pairs: sentences with their translations, which the decoder reads.
        shift: 0 = row i is of the step that writes target word i; 1 = of the step that reads it.

    Returns:
        One map ``(1, 1, target words, source words)`` for each sentence.
    """
    source, target = as_tensors(pairs)
    weights = model.attention_weights(source, target[:, :-1])  # (batch, target_length, source_length)
    return [
        w[None, None, shift : len(pair.target) + shift, : len(pair.source)]
        for w, pair in zip(weights, pairs, strict=True)
    ]


def diagonal_maps(pairs: Sequence[SentencePair]) -> list[Tensor]:
    """Return maps that read nothing: each target word looks at the source word that lies as far into its sentence.

    Args:
        pairs: the sentences.

    Returns:
        One map ``(1, 1, target words, source words)`` for each sentence.
    """
    maps = []
    for pair in pairs:
        weights = torch.zeros(1, 1, len(pair.target), len(pair.source))
        for row in range(len(pair.target)):
            share = row / max(len(pair.target) - 1, 1)  # 0 at the first word, 1 at the last
            weights[0, 0, row, round(share * (len(pair.source) - 1))] = 1.0
        maps.append(weights)
    return maps


def share_on_gold(maps: list[Tensor], pairs: Sequence[SentencePair], articles: bool) -> float:
    """Return the share of target words whose highest weight is on the source word that they are linked to.

    Args:
        maps: as from :func:`word_maps`.
        pairs: the sentences.
        articles: True = only the articles, False = only all other words.
    """
    hits = [
        (row, weights[0, 0, row].argmax().item()) in pair.alignment
        for weights, pair in zip(maps, pairs, strict=True)
        for row, word in enumerate(pair.target)
        if (word in ARTICLES) == articles
    ]
    return sum(hits) / len(hits)


def looks_of_articles(maps: list[Tensor], pairs: Sequence[SentencePair]) -> dict[str, float]:
    """Say which part of its noun phrase each French article looks at, as shares of all articles.

    Args:
        maps: as from :func:`word_maps`.
        pairs: the sentences.

    Returns:
        Shares of ``the``, ``adjective``, ``noun`` and ``elsewhere``, which sum to 1.
    """
    counts = {"the": 0, "adjective": 0, "noun": 0, "elsewhere": 0}
    for weights, pair in zip(maps, pairs, strict=True):
        origin = dict(pair.alignment)
        for row, word in enumerate(pair.target):
            if word in ARTICLES:
                counts[place_in_phrase(pair.source, origin[row], weights[0, 0, row].argmax().item())] += 1
    total = sum(counts.values())
    return {place: count / total for place, count in counts.items()}


@torch.no_grad()
def other_looks(weights: Tensor, pairs: Sequence[SentencePair], generator: torch.Generator) -> dict[str, Tensor]:
    """Make weights that the model did not choose, from those that it did.

    Args:
        weights: ``(batch, target_length, source_length)``, as from ``model.attention_weights``.
        pairs: the sentences.
        generator: for the shuffling.

    Returns:
        Weights of the same shape: its own; all on the word with the highest one; all on the gold word (the step that
        writes EOS, which has no gold word, looks at the source's EOS); the same, but each article looks at the noun of
        its phrase; its own in another order over the words of the sentence; and the same for every word.
    """
    source, _ = as_tensors(pairs)
    real = (source != PAD).unsqueeze(1)  # (batch, 1, source_length)
    gold = torch.zeros_like(weights)
    for sentence, pair in enumerate(pairs):
        gold[sentence, len(pair.target) :, len(pair.source)] = 1.0
        for row, column in pair.alignment:
            gold[sentence, row, column] = 1.0
    on_noun = gold.clone()
    for sentence, pair in enumerate(pairs):
        for row, column in pair.alignment:
            if pair.target[row] in ARTICLES:
                noun = next(place for place in range(column, len(pair.source)) if pair.source[place] in NOUNS)
                on_noun[sentence, row] = 0.0
                on_noun[sentence, row, noun] = 1.0
    # Random numbers, and 2 at padding: sorted, they put the real words first, in an order of its own for each row.
    order = torch.rand(weights.shape, generator=generator).masked_fill(~real, 2.0).argsort(dim=-1)
    return {
        "its own": weights,
        "all on its highest": F.one_hot(weights.argmax(dim=-1), weights.shape[-1]).to(weights.dtype),
        "all on the gold word": gold,
        "so, but articles on the noun": on_noun,
        "its own, shuffled": weights.gather(-1, order),
        "the same everywhere": (real / real.sum(dim=-1, keepdim=True)).expand_as(weights),
    }


@torch.no_grad()
def words_right(model: nn.Module, pairs: Sequence[SentencePair], weights: Tensor) -> tuple[float, float]:
    """Let a model predict each word of the right translation, looking where it is told.

    Args:
        model: a ``ScoredTranslator``.
        pairs: sentences with their translations, which the decoder reads.
        weights: ``(batch, target_length, source_length)``, in place of its own.

    Returns:
        The share of the articles that it predicts, and that of all other words (without EOS).
    """
    source, target = as_tensors(pairs)
    right = model.logits_with(source, target[:, :-1], weights).argmax(dim=-1) == target[:, 1:]
    articles = torch.isin(target[:, 1:], torch.tensor(FRENCH.encode(ARTICLES)))
    others = torch.zeros_like(articles)
    for sentence, pair in enumerate(pairs):
        others[sentence, : len(pair.target)] = True
    others &= ~articles
    return right[articles].double().mean().item(), right[others].double().mean().item()


def _beginning(words: Sequence[str]) -> tuple[bool, tuple[str, ...]]:
    """Return what decides how a French sentence can go on: was there a link word, and what has come since."""
    links = [i for i, word in enumerate(words) if word in LINKS.values()]
    return bool(links), tuple(words[links[-1] + 1 :] if links else words)


def guessed_from_french(known: Sequence[SentencePair], pairs: Sequence[SentencePair]) -> tuple[float, float]:
    """Guess each word of a translation from the French words before it, as one would who never sees the source.

    The guess is the word that came most often after such a beginning (the words since the last *et*, *voit* or *suit*,
    and whether there was one). The end of a sentence is never guessed: the guesser is told that it goes on.

    Args:
        known: sentences of at most two phrases, in which the next words are counted.
        pairs: the sentences whose words are guessed.

    Returns:
        The share of the articles that are guessed right, and that of all other words (without EOS).
    """
    next_words: defaultdict[tuple, Counter] = defaultdict(Counter)
    for pair in known:
        for i, word in enumerate(pair.target):
            next_words[_beginning(pair.target[:i])][word] += 1
    hits: dict[bool, list[bool]] = {True: [], False: []}
    for pair in pairs:
        for i, word in enumerate(pair.target):
            counted = next_words[_beginning(pair.target[:i])]
            hits[word in ARTICLES].append(bool(counted) and counted.most_common(1)[0][0] == word)
    return tuple(sum(found) / len(found) for found in (hits[True], hits[False]))
