"""BLEU from counts, and how sure a difference is."""

import pytest
import torch

from drawings.bootstrap import bleu_counts, bleu_differences, bleu_parts
from transformer_course.decoding import corpus_bleu

REFERENCES = [line.split() for line in ("a b c d e f", "g h i j k", "a c e g i k m", "b d f h j")]
HYPOTHESES = [line.split() for line in ("a b c d e", "g h i j k k", "a c e g i m", "b d f j")]


def test_the_product_of_the_parts_is_bleu():
    precision, brevity = bleu_parts(bleu_counts(HYPOTHESES, REFERENCES).sum(dim=0))
    assert (precision * brevity).item() == pytest.approx(corpus_bleu(HYPOTHESES, REFERENCES))
    assert brevity < 1
    assert bleu_parts(bleu_counts(REFERENCES, HYPOTHESES).sum(dim=0))[1] == 1


def test_a_draw_is_the_same_for_both_systems():
    worse, better = bleu_counts(HYPOTHESES, REFERENCES), bleu_counts(REFERENCES, REFERENCES)
    assert (bleu_differences(worse, worse) == 0).all()
    gains = bleu_differences(better, worse, num_draws=200)
    assert gains.shape == (200,)
    assert (gains > 0).all()
    torch.testing.assert_close(gains, -bleu_differences(worse, better, num_draws=200))


def test_nothing_right_is_a_bleu_of_zero():
    precision, _ = bleu_parts(bleu_counts([["x"]], [["y"]]).sum(dim=0))
    assert precision == 0
