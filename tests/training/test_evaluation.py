"""Scores by hand and by sacrebleu."""

import pytest

from transformer_course.data.corpus import SentencePair
from transformer_course.training.evaluation import score_translations


def pair(source, target):
    return SentencePair(tuple(source.split()), tuple(target.split()), frozenset())


PAIRS = [
    pair("the cat sleeps .", "le chat dort ."),
    pair("the small cat sees her .", "le petit chat la voit ."),
    pair("the small cat does not see her often .", "le petit chat ne la voit pas souvent ."),
]


def test_exact_match_over_all_and_by_length():
    hypotheses = [["le", "chat", "dort", "."], ["le", "petit", "chat", "le", "voit", "."], PAIRS[2].target]
    score = score_translations(PAIRS, hypotheses)
    assert score.exact_match == pytest.approx(2 / 3)
    assert score.exact_match_by_length == {(1, 6): (0.5, 2), (7, 10): (1.0, 1)}
    assert score.wrong == [("the small cat sees her .", "le petit chat la voit .", "le petit chat le voit .")]


def test_bleu_by_hand():
    # "a b c d e" against "a b c d f": precisions 4/5, 3/4, 2/3, 1/2, same length: (1/5)^(1/4).
    score = score_translations([pair("x", "a b c d f")], [["a", "b", "c", "d", "e"]])
    assert score.bleu == pytest.approx(100 * 0.2**0.25)


def test_one_hypothesis_for_each_pair():
    with pytest.raises(ValueError, match="hypotheses: expected one for each of 3 pairs"):
        score_translations(PAIRS, [["le"]])
