"""The language of noun phrases: agreement, order, and how many sentences it has."""

import itertools
import random

import pytest

from drawings.rnn_drawings import ENGLISH as DRAWN_ENGLISH
from drawings.rnn_drawings import FRENCH as DRAWN_FRENCH
from drawings.rnn_drawings import LINKS as DRAWN_LINKS
from transformer_course.common.tokens import BOS, EOS, PAD, UNK
from transformer_course.data.sentences import SentencePair
from transformer_course.data.toy_grammar import (
    ADJECTIVES,
    ENGLISH,
    FRENCH,
    NOUNS,
    as_tensors,
    draw_phrase_pair,
    draw_phrase_pairs,
    num_sentences,
    place_in_phrase,
)


@pytest.fixture(scope="module")
def language():
    """All sentences of one or two phrases."""
    return {pair.source: pair for pair in draw_phrase_pairs(2_730, most_phrases=2)}


@pytest.mark.parametrize(
    ("english", "french"),
    [
        ("the old queen", "la vieille reine"),
        ("the black cat", "le chat noir"),
        ("the tired owl follows the small dog", "la chouette fatiguée suit le petit chien"),
    ],
)
def test_words_agree_and_stand_in_their_places(english, french, language):
    assert " ".join(language[tuple(english.split())].target) == french


def test_every_sentence_has_its_translation_in_the_vocabularies(language):
    for pair in language.values():
        assert UNK not in ENGLISH.encode(pair.source)
        assert UNK not in FRENCH.encode(pair.target)
        assert {i for i, _ in pair.alignment} == set(range(len(pair.target)))
        assert {j for _, j in pair.alignment} == set(range(len(pair.source)))


def test_every_word_of_long_sentences_has_one_link():
    rng = random.Random(1)
    for pair in (draw_phrase_pair(rng, 4) for _ in range(200)):
        assert sorted(row for row, _ in pair.alignment) == list(range(len(pair.target)))
        assert sorted(column for _, column in pair.alignment) == list(range(len(pair.source)))


def test_sentences_are_counted_as_brute_force_counts_them():
    one = list(itertools.product(NOUNS, [None, *ADJECTIVES]))
    linked = [(first, link, second) for first in one for link in "abc" for second in one]
    assert num_sentences(1) == len(one)
    assert num_sentences(2) == len(one) + len(linked)


def test_tensors():
    pairs = [
        SentencePair(tuple(source.split()), tuple(target.split()), frozenset())
        for source, target in (("the old queen", "la vieille reine"), ("the cat", "le chat"))
    ]
    source, target = as_tensors(pairs)
    assert source[1].tolist() == [*ENGLISH.encode(["the", "cat"]), EOS, PAD]
    assert target[1].tolist() == [BOS, *FRENCH.encode(["le", "chat"]), EOS, PAD]


def test_places_in_a_noun_phrase():
    source = ["the", "cat", "sees", "the", "old", "queen"]
    named = [place_in_phrase(source, 3, looked) for looked in range(7)]
    assert named == ["elsewhere", "elsewhere", "elsewhere", "the", "adjective", "noun", "elsewhere"]


def test_there_are_no_more_sentences_than_that():
    with pytest.raises(ValueError, match="expected at most 2730 with 2 phrases"):
        draw_phrase_pairs(2_731, most_phrases=2)


def test_the_drawn_sentence_is_one_of_the_language(language):
    pair = language[DRAWN_ENGLISH]
    assert pair.target == DRAWN_FRENCH
    assert pair.alignment == set(DRAWN_LINKS)
