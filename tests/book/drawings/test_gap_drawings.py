"""Drawings of chapter 14: what a reader who cannot see them is told, and what the steps hold."""

import html
import re

import pytest

from drawings import gap_drawings


@pytest.mark.parametrize(
    "make", [gap_drawings.one_side_and_both, gap_drawings.the_model, gap_drawings.fates, gap_drawings.bert_input]
)
def test_each_has_words_for_who_cannot_see_it(make):
    drawing = make()
    assert len(drawing.alt.split()) > 20
    assert "<svg" in drawing.svg()


def test_the_square_says_which_sentences_are_right():
    drawing = gap_drawings.square_of_four(("one", "two"), ("sees", "see"), list("abcd"), (True, False, False, True))
    assert "a: right; b: wrong; c: wrong; d: right" in drawing.alt


def test_a_step_for_each_word_with_its_own_probability():
    guesses = [[("the", 0.75), ("a", 0.25)], [("dog", 0.5), ("cat", 0.125)]]
    page = gap_drawings.candidates(["the", "cat"], guesses)._repr_html_()
    assert page.count("<li>") == 2
    assert "0.75 there, rank 1" in page
    assert "0.12 there, rank 2" in page
    assert page.count('data-to="') == 2


def test_the_steps_begin_where_they_are_told_to():
    guesses = [[("the", 0.75)], [("cat", 0.5)], [("sees", 0.25)]]
    steps = re.findall(
        r"<li>“(\w+)”", html.unescape(gap_drawings.candidates(["the", "cat", "sees"], guesses, first=1)._repr_html_())
    )
    assert steps == ["cat", "sees", "the"]
