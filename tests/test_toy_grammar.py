"""The language of noun phrases: agreement, order, and how many sentences it has."""

import pytest

from transformer_course.common.tokens import UNK
from transformer_course.data.toy_grammar import ENGLISH, FRENCH, draw_phrase_pairs
from transformer_course.figures.rnn_drawings import ENGLISH as DRAWN_ENGLISH
from transformer_course.figures.rnn_drawings import FRENCH as DRAWN_FRENCH
from transformer_course.figures.rnn_drawings import LINKS as DRAWN_LINKS


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


def test_there_are_no_more_sentences_than_that():
    with pytest.raises(ValueError, match="expected at most 2730 with 2 phrases"):
        draw_phrase_pairs(2_731, most_phrases=2)


def test_the_drawn_sentence_is_one_of_the_language(language):
    pair = language[DRAWN_ENGLISH]
    assert pair.target == DRAWN_FRENCH
    assert pair.alignment == set(DRAWN_LINKS)
