"""How good a translation is: exact match, BLEU, both by length of the source, and alignment against gold.

Source: Papineni et al. (2002) for BLEU; Och and Ney (2003), the part on evaluation, for the alignment error rate.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sacrebleu.metrics import BLEU

from transformer_course.data.corpus import SentencePair

LENGTH_BINS = ((1, 6), (7, 10), (11, 15), (16, 20), (21, 25), (26, 30))


@dataclass(frozen=True)
class Score:
    """How a model did on a set of sentences.

    Args:
        exact_match: share of sentences translated word for word, 0 to 1.
        bleu: corpus BLEU, 0 to 100, of the words as they are.
        exact_match_by_length: for each bin of source lengths (from, to) the share and the number of sentences.
        wrong: the sentences that were not translated exactly: source, expected, got.
    """

    exact_match: float
    bleu: float
    exact_match_by_length: dict[tuple[int, int], tuple[float, int]]
    wrong: list[tuple[str, str, str]]


def score_translations(pairs: Sequence[SentencePair], hypotheses: Sequence[Sequence[str]]) -> Score:
    """Compare translations with the references.

    Args:
        pairs: source sentences with their one right translation.
        hypotheses: a list of words for each pair.

    Returns:
        The score.

    Raises:
        ValueError: if there are no pairs, or not as many hypotheses.
    """
    if not pairs or len(pairs) != len(hypotheses):
        raise ValueError(
            f"hypotheses: expected one for each of {len(pairs)} pairs (at least one), got {len(hypotheses)}"
        )
    right = [tuple(hypothesis) == pair.target for pair, hypothesis in zip(pairs, hypotheses, strict=True)]
    by_length = {}
    for low, high in LENGTH_BINS:
        inside = [hit for hit, pair in zip(right, pairs, strict=True) if low <= len(pair.source) <= high]
        if inside:
            by_length[low, high] = (sum(inside) / len(inside), len(inside))
    text = [" ".join(words) for words in hypotheses]
    references = [" ".join(pair.target) for pair in pairs]
    wrong = [
        (" ".join(pair.source), reference, got)
        for pair, reference, got, hit in zip(pairs, references, text, right, strict=True)
        if not hit
    ]
    return Score(
        exact_match=sum(right) / len(right),
        bleu=BLEU(tokenize="none", force=True).corpus_score(text, [references]).score,
        exact_match_by_length=by_length,
        wrong=wrong,
    )
