"""The small language of chapter 03: agreement, order of words, gold links, how many sentences there are."""

import itertools
import random

from transformer_course.common.tokens import BOS, EOS, PAD
from transformer_course.data.agreement import (
    ADJECTIVES,
    NOUNS,
    SOURCE_WORDS,
    TARGET_WORDS,
    as_tensors,
    draw_pair,
    num_sentences,
    place_in_phrase,
)


def test_known_translations():
    rng = random.Random(0)
    drawn = {" ".join(source): " ".join(target) for source, target, _ in (draw_pair(rng, 1) for _ in range(2000))}
    assert drawn["the old queen"] == "la vieille reine"
    assert drawn["the black king"] == "le roi noir"
    assert drawn["the mouse"] == "la souris"
    assert len(drawn) == num_sentences(1) == len(NOUNS) * (1 + len(ADJECTIVES))


def test_two_phrases_are_counted_as_brute_force_counts_them():
    one = list(itertools.product(NOUNS, [None, *ADJECTIVES]))
    linked = [(first, link, second) for first in one for link in "abc" for second in one]
    assert num_sentences(2) == len(one) + len(linked)


def test_every_target_word_has_one_link_and_every_source_word_too():
    rng = random.Random(1)
    for source, target, links in (draw_pair(rng, 4) for _ in range(200)):
        assert sorted(row for row, _ in links) == list(range(len(target)))
        assert sorted(column for _, column in links) == list(range(len(source)))


def test_tensors():
    pairs = [(["the", "old", "queen"], ["la", "vieille", "reine"], set()), (["the", "cat"], ["le", "chat"], set())]
    source, target = as_tensors(pairs)
    assert source[1].tolist() == [*SOURCE_WORDS.encode(["the", "cat"]), EOS, PAD]
    assert target[1].tolist() == [BOS, *TARGET_WORDS.encode(["le", "chat"]), EOS, PAD]


def test_places():
    source = ["the", "cat", "sees", "the", "old", "queen"]
    named = [place_in_phrase(source, 3, looked) for looked in range(7)]
    assert named == ["elsewhere", "elsewhere", "elsewhere", "the", "adjective", "noun", "elsewhere"]
