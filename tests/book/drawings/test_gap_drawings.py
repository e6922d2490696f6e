"""Drawings of chapter 14: what a reader who cannot see them is told, and what the steps hold."""

import pytest

from drawings import gap_drawings


@pytest.mark.parametrize("make", [gap_drawings.one_side_and_both, gap_drawings.the_model, gap_drawings.fates])
def test_each_has_words_for_who_cannot_see_it(make):
    drawing = make()
    assert len(drawing.alt.split()) > 20
    assert "<svg" in drawing.svg()


def test_the_square_says_which_sentences_are_right():
    drawing = gap_drawings.square_of_four(("one", "two"), ("sees", "see"), list("abcd"), (True, False, False, True))
    assert "a: right; b: wrong; c: wrong; d: right" in drawing.alt


def test_a_step_for_each_word_with_its_own_probability():
    guesses = [[("the", 0.75), ("a", 0.25)], [("dog", 0.5), ("cat", 0.125)]]
    html = gap_drawings.candidates(["the", "cat"], guesses)._repr_html_()
    assert html.count("<li>") == 2
    assert "0.75 there, rank 1" in html
    assert "0.12 there, rank 2" in html
    assert html.count('data-to="') == 2
