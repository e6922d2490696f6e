"""The tiny languages of chapter 11: all sentences, and nothing else, share the probability."""

import math

import pytest

from drawings.tiny_language import LONGEST, SENTENCES, START, log_probability, tiny_language
from transformer_course.rnn_encoder_decoder import beam_search


def test_probabilities_sum_to_one():
    assert len(SENTENCES) == 364
    step = tiny_language(3)
    assert sum(math.exp(log_probability(step, sentence)) for sentence in SENTENCES) == pytest.approx(1, abs=1e-5)


def test_the_widest_beam_finds_the_best_sentence():
    step = tiny_language(4)
    words, score = beam_search(step, START, 324, LONGEST)[0]
    best = max(SENTENCES, key=lambda sentence: log_probability(step, sentence))
    assert words == best
    assert score == pytest.approx(log_probability(step, best), abs=1e-4)
