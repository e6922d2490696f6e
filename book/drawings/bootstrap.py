"""How sure a difference in BLEU is: the test set drawn anew, many times, with both systems on the same draw.

Source: Koehn (2004), "Statistical Significance Tests for Machine Translation Evaluation".
"""

from collections import Counter
from collections.abc import Sequence

import torch
from torch import Tensor

ORDERS = 4


def bleu_counts(hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[str]]) -> Tensor:
    """Count for each sentence what BLEU adds up: ``(sentences, 10)``.

    Columns: n-grams that are right, then n-grams written, each for n from 1 to 4; tokens written, tokens wanted.
    """
    rows = []
    for hypothesis, reference in zip(hypotheses, references, strict=True):
        right, written = [], []
        for n in range(1, ORDERS + 1):
            found, wanted = (
                Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1)) for words in (hypothesis, reference)
            )
            right.append((found & wanted).total())
            written.append(found.total())
        rows.append([*right, *written, len(hypothesis), len(reference)])
    return torch.tensor(rows, dtype=torch.float64)


def bleu_parts(counts: Tensor) -> tuple[Tensor, Tensor]:
    """Return the two factors of BLEU for sums of counts.

    Args:
        counts: ``(..., 10)``, from `bleu_counts`, summed over the sentences of a corpus.

    Returns:
        The geometric mean of the precisions, 0 to 100, and the brevity penalty; their product is BLEU. ``(...)`` each.
    """
    right, written, lengths = counts.split([ORDERS, ORDERS, 2], dim=-1)
    precision = 100 * (right / written.clamp(min=1)).log().mean(dim=-1).exp()
    brevity = (1 - lengths[..., 1] / lengths[..., 0]).clamp(max=0).exp()
    return precision, brevity


def bleu_differences(one: Tensor, other: Tensor, num_draws: int = 1000, seed: int = 0) -> Tensor:
    """Draw the test set anew and subtract BLEU: paired bootstrap.

    Args:
        one: counts of a system, ``(sentences, 10)``.
        other: those of another for the same sentences.
        num_draws: how many test sets to draw.
        seed: of the draws; the same for all pairs of systems.

    Returns:
        BLEU of ``one`` minus BLEU of ``other``, ``(num_draws,)``.
    """
    generator = torch.Generator().manual_seed(seed)
    draws = torch.randint(len(one), (num_draws, len(one)), generator=generator)
    scores = []
    for counts in (one, other):
        precision, brevity = bleu_parts(counts[draws].sum(dim=1))
        scores.append(precision * brevity)
    return scores[0] - scores[1]
