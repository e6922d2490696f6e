"""Sentences with and without agreement: known labels, and nothing but the order of words tells them."""

from collections import Counter, defaultdict

import pytest

from transformer_course.data.agreement_pairs import (
    FRAMES,
    LABELS,
    RIGHT,
    WRONG,
    draw_groups,
    draw_owner_groups,
    labelled,
    nearest_noun_is_plural,
)
from transformer_course.data.corpus import HELD_OUT, load_corpus
from transformer_course.data.lexicon import NOUNS

SINGULAR_FORMS = {"sees", "finds", "follows", "hears", "watches", "helps", "looks", "waits", "does", "is", "sleeps",
                  "sings", "works", "runs", "arrives", "falls", "leaves"}  # fmt: skip
PLURAL_FORMS = {"see", "find", "follow", "hear", "watch", "help", "look", "wait", "do", "are", "sleep", "sing", "work",
                "run", "arrive", "fall", "leave"}  # fmt: skip
NUMBER = {noun.english: "singular" for noun in NOUNS} | {noun.english_plural: "plural" for noun in NOUNS}


@pytest.fixture(scope="module")
def groups():
    return draw_groups(400, 0)


def test_the_first_noun_is_the_subject_and_says_the_label(groups):
    # In every frame the subject is the first noun phrase: an oracle that knows nothing of how they were made.
    for words, label, place in (
        (words, label, place)
        for group in groups
        for words, label, place in zip(group.sentences, LABELS, group.places, strict=True)
    ):
        subject = next(NUMBER[word] for word in words if word in NUMBER)
        form = "singular" if words[place] in SINGULAR_FORMS else "plural"
        assert words[place] in SINGULAR_FORMS | PLURAL_FORMS
        assert label == (RIGHT if subject == form else WRONG), " ".join(words)


def test_every_bag_of_words_is_as_often_right_as_wrong(groups):
    labels = defaultdict(Counter)
    for words, label in zip(*labelled(groups), strict=True):
        labels[tuple(sorted(words))][label] += 1
    assert all(count[RIGHT] == count[WRONG] for count in labels.values())


def test_lengths_and_forms_are_balanced(groups):
    by_length, by_form = Counter(), Counter()
    for words, label in zip(*labelled(groups), strict=True):
        by_length[len(words), label] += 1
        by_form[frozenset(SINGULAR_FORMS).isdisjoint(words), label] += 1
    assert all(by_length[length, RIGHT] == by_length[length, WRONG] for length, _ in list(by_length))
    assert len(set(by_form.values())) == 1


def test_the_nearest_noun_misleads_in_two_frames_of_four(groups):
    for group in groups:
        for words, label, place in zip(group.sentences, LABELS, group.places, strict=True):
            agrees = nearest_noun_is_plural(words, place) == (words[place] in PLURAL_FORMS)
            assert agrees == ((label == RIGHT) == (group.frame in ("object", "question")))
    with pytest.raises(ValueError, match="noun"):
        nearest_noun_is_plural(("he", "sees", "."), 1)


def test_minimal_pairs_differ_in_one_place(groups):
    for right, wrong, place in (pair for group in groups for pair in group.pairs):
        assert [i for i, (a, b) in enumerate(zip(right, wrong, strict=True)) if a != b] == [place]


def test_no_sentence_twice_none_to_avoid_and_frames_take_turns(groups):
    sentences = labelled(groups)[0]
    assert len(sentences) == len(set(sentences)) == 1600
    others = draw_groups(100, 0, avoid=set(sentences))
    assert set(sentences).isdisjoint(labelled(others)[0])
    assert [group.frame for group in groups[:8]] == [*FRAMES] * 2
    assert draw_groups(5, 3) == draw_groups(5, 3) != draw_groups(5, 4)
    assert draw_groups(0, 0) == []
    with pytest.raises(ValueError, match="number"):
        draw_groups(-1, 0)


def test_they_use_words_of_the_corpus_and_no_pair_that_it_holds_out(groups):
    corpus = load_corpus(num_train=2000, num_validation=0, num_test=0)
    known = {word for pair in corpus.train for word in pair.source}
    assert {word for words in labelled(groups)[0] for word in words} <= known
    held_out = {(noun, verb) for noun, verb in HELD_OUT}
    for group in groups:
        if group.frame == "object":
            right, _, place = group.pairs[1]  # the plural subject: the verb is in its base form
            subject = next(noun.english for noun in NOUNS if noun.english_plural in right[:place])
            assert (subject, right[place]) not in held_out


def test_of_an_owner_and_what_is_owned_the_second_is_the_subject():
    groups = draw_owner_groups(60, 0)
    for group in groups:
        for words, label, place in zip(group.sentences, LABELS, group.places, strict=True):
            first, second = (NUMBER[word] for word in words if word in NUMBER)
            form = "singular" if words[place] in SINGULAR_FORMS else "plural"
            assert first != second
            assert (label == RIGHT) == (second == form)
            # The sign of an owner stands between the two; a plural in -s has the apostrophe alone.
            owner, sign = words[1], words[2]
            assert sign == ("'" if first == "plural" and owner.endswith("s") else "'s")
            assert NUMBER[words[place - 1]] == second
    sentences = labelled(groups)[0]
    assert len(sentences) == len(set(sentences)) == 240
    assert set(sentences).isdisjoint(labelled(draw_owner_groups(10, 0, avoid=set(sentences)))[0])
    with pytest.raises(ValueError, match="number"):
        draw_owner_groups(-1, 0)
