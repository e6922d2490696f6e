"""What chapter 03 asks of its small translators: are they right, where do they look, and what if they look elsewhere?

Dimension names: ``batch`` sentences, ``target_length`` and ``source_length`` positions of the padded sentences.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course.common.tokens import PAD
from transformer_course.data.agreement import ARTICLES, TARGET_WORDS, Pair, as_tensors, place_in_phrase
from transformer_course.rnn_encoder_decoder import greedy_decode


@torch.no_grad()
def share_translated(model: nn.Module, pairs: list[Pair]) -> float:
    """Return the share of sentences that greedy decoding translates without a mistake."""
    source, target = as_tensors(pairs)
    written = greedy_decode(model.decode_step, model.start_decoding(source), len(pairs), target.shape[1])
    right = [TARGET_WORDS.decode(row) == pair[1] for row, pair in zip(written.tolist(), pairs, strict=True)]
    return sum(right) / len(right)


@torch.no_grad()
def word_maps(model: nn.Module, pairs: list[Pair], shift: int = 0) -> list[Tensor]:
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
        w[None, None, shift : len(french) + shift, : len(english)]
        for w, (english, french, _) in zip(weights, pairs, strict=True)
    ]


def share_on_gold(maps: list[Tensor], pairs: list[Pair], articles: bool) -> float:
    """Return the share of target words whose highest weight is on the source word that they are linked to.

    Args:
        maps: as from :func:`word_maps`.
        pairs: the sentences.
        articles: True = only the articles, False = only all other words.
    """
    hits = [
        (row, weights[0, 0, row].argmax().item()) in links
        for weights, (_, french, links) in zip(maps, pairs, strict=True)
        for row, word in enumerate(french)
        if (word in ARTICLES) == articles
    ]
    return sum(hits) / len(hits)


def looks_of_articles(maps: list[Tensor], pairs: list[Pair]) -> dict[str, float]:
    """Say which part of its noun phrase each French article looks at, as shares of all articles.

    Args:
        maps: as from :func:`word_maps`.
        pairs: the sentences.

    Returns:
        Shares of ``the``, ``adjective``, ``noun`` and ``elsewhere``, which sum to 1.
    """
    counts = {"the": 0, "adjective": 0, "noun": 0, "elsewhere": 0}
    for weights, (english, french, links) in zip(maps, pairs, strict=True):
        origin = dict(links)
        for row, word in enumerate(french):
            if word in ARTICLES:
                counts[place_in_phrase(english, origin[row], weights[0, 0, row].argmax().item())] += 1
    total = sum(counts.values())
    return {place: count / total for place, count in counts.items()}


@torch.no_grad()
def other_looks(weights: Tensor, pairs: list[Pair], generator: torch.Generator) -> dict[str, Tensor]:
    """Make weights that the model did not choose, from those that it did.

    Args:
        weights: ``(batch, target_length, source_length)``, as from ``model.attention_weights``.
        pairs: the sentences.
        generator: for the shuffling.

    Returns:
        Weights of the same shape: its own; all on the word with the highest one; all on the gold word (the step that
        writes EOS, which has no gold word, looks at the source's EOS); its own in another order over the words of the
        sentence; and the same for every word.
    """
    source, _ = as_tensors(pairs)
    real = (source != PAD).unsqueeze(1)  # (batch, 1, source_length)
    gold = torch.zeros_like(weights)
    for sentence, (english, french, links) in enumerate(pairs):
        gold[sentence, len(french) :, len(english)] = 1.0
        for row, column in links:
            gold[sentence, row, column] = 1.0
    # Random numbers, and 2 at padding: sorted, they put the real words first, in an order of its own for each row.
    order = torch.rand(weights.shape, generator=generator).masked_fill(~real, 2.0).argsort(dim=-1)
    return {
        "its own": weights,
        "all on its highest": F.one_hot(weights.argmax(dim=-1), weights.shape[-1]).to(weights.dtype),
        "all on the gold word": gold,
        "its own, shuffled": weights.gather(-1, order),
        "the same everywhere": (real / real.sum(dim=-1, keepdim=True)).expand_as(weights),
    }


@torch.no_grad()
def words_right(model: nn.Module, pairs: list[Pair], weights: Tensor) -> tuple[float, float]:
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
    articles = torch.isin(target[:, 1:], torch.tensor(TARGET_WORDS.encode(list(ARTICLES))))
    others = torch.zeros_like(articles)
    for sentence, (_, french, _) in enumerate(pairs):
        others[sentence, : len(french)] = True
    others &= ~articles
    return right[articles].double().mean().item(), right[others].double().mean().item()
