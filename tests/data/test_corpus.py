"""The built-in corpus: sizes, lengths, splits, repeatability, and every pair against rules of French."""

import hashlib
import os
import re
import subprocess
import sys
from dataclasses import replace

import pytest

from tests.data.french_rules import (
    ADJECTIVES,
    ALL_CHECKS,
    NOUNS,
    VERBS,
    check_alignment,
    check_first_subject,
    check_noun_phrases,
    check_spelling,
    check_verbs,
)
from transformer_course.data.corpus import HELD_OUT, SentencePair, load_corpus

ARGUMENTS = {"num_train": 2_000, "num_validation": 50, "num_test": 90, "seed": 3}


@pytest.fixture(scope="module")
def corpus():
    return load_corpus(**ARGUMENTS)


def all_sets(corpus):
    return [corpus.train, corpus.validation, corpus.test, corpus.longer, corpus.composition]


def test_sizes_lengths_and_disjoint_splits(corpus):
    assert [len(pairs) for pairs in all_sets(corpus)] == [2_000, 50, 90, 90, 90]
    for pairs in all_sets(corpus):
        low, high = (21, 30) if pairs is corpus.longer else (4, 20)
        assert {len(pair.source) for pair in pairs} <= set(range(low, high + 1))
    assert len({pair.source for pairs in all_sets(corpus) for pair in pairs}) == 2_000 + 50 + 3 * 90


def test_no_length_dominates(corpus):
    counts = [sum(len(pair.source) == length for pair in corpus.train) for length in range(4, 21)]
    assert max(counts) <= 1.2 * 2_000 / 17 + 1
    assert min(counts) >= 0.3 * 2_000 / 17


def test_every_pair_against_the_rules(corpus):
    for pairs in all_sets(corpus):
        for pair in pairs:
            for assert_rule in ALL_CHECKS:
                assert_rule(pair)


def test_one_translation_for_each_english_sentence(corpus):
    seen = {}
    for pairs in (*all_sets(corpus), *all_sets(load_corpus(700, 0, 30, seed=4))):
        for pair in pairs:
            assert seen.setdefault(pair.source, pair.target) == pair.target


def test_words_of_the_test_sets_occur_in_training(corpus):
    for side in ("source", "target"):
        known = {word for pair in corpus.train for word in getattr(pair, side)}
        unknown = {word for pair in corpus.test + corpus.composition for word in getattr(pair, side)} - known
        assert len(known) >= 200
        assert len(unknown) <= 0.02 * len(known)  # rare forms in so small a corpus; none in the default one


def test_held_out_combinations_stand_in_composition_only(corpus):
    base = {form: noun.english for form, noun in NOUNS.items()}

    def beside(pair):
        """Find nouns with an adjective right before them, or a verb form right behind them."""
        for word, after in zip(pair.source, pair.source[1:], strict=False):
            if word in ADJECTIVES and after in base:
                yield base[after], word
            # A verb in the third person or the past behind a noun is not always its verb: who, that and owners aside.
        first = next((i for i, word in enumerate(pair.source[:4]) if word in base), None)
        if (
            first is not None
            and pair.source[0] in ("the", "this", "these", "a", "an")
            and "'" not in pair.source[first + 1]
        ):
            verb = pair.source[first + 1]
            if verb in VERBS:
                yield base[pair.source[first]], VERBS[verb].base

    for pairs in (corpus.train, corpus.validation, corpus.test, corpus.longer):
        assert not [pair for pair in pairs if HELD_OUT & set(beside(pair))]
    assert sum(bool(HELD_OUT & set(beside(pair))) for pair in corpus.composition) > 45


def test_each_word_keeps_most_of_its_partners():
    for noun in {noun.english for noun in NOUNS.values()}:
        assert sum(pair[0] == noun for pair in HELD_OUT) <= 8


def test_they_and_a_feminine_plural_never_meet(corpus):
    feminine = {noun.english_plural for noun in NOUNS.values() if noun.gender == "f"}
    for pair in corpus.train:
        if {"they", "them"} & set(pair.source):
            assert not feminine & set(pair.source)


PHENOMENA = {
    "negation around a clitic": r" (ne|n') (le|la|les|l'|lui|leur|me|m'|nous|vous) \S+ (pas|jamais) ",
    "negation around the auxiliary": r" n' (a|ont|ai|avons|avez) (pas|jamais) ",
    "pas de": r" (pas|jamais) (\S+ )?(de|d') ",
    "yes/no question": r"^est-ce (que|qu') ",
    "object question": r"^qu' est-ce (que|qu') .* \?$",
    "how many": r"^combien (de|d') ",
    "contracted article": r" (près|loin) du ",
    "form before a vowel": r" (vieil|bel|nouvel|cet) ",
    "possessive before a vowel": r" (mon|son) (école|église|île|abeille|orange|actrice|histoire|étoile) ",
    "relative clause with object": r" (que|qu') (j'|il|elle|ils|nous|vous) ",
    "participle after que": r" (que|qu') (il|elle) (a|n' a pas) \S+(e|s) ",
    "indirect object": r" (lui|leur) (donne|a |envoie|montre)",
    "clitic before an infinitive": r" (veut|peut|doit|veulent|peuvent|doivent) (le|la|les|l'|me|m'|nous|vous) ",
    "because": r" parce (que|qu') ",
    "subordinate clause": r" (pense|dit|sait|espère|pensent|disent|savent|espèrent) (que|qu') ",
}


@pytest.mark.parametrize("pattern", PHENOMENA.values(), ids=PHENOMENA)
def test_phenomena_occur(corpus, pattern):
    assert sum(bool(re.search(pattern, " ".join(pair.target))) for pair in corpus.train) >= 3


def test_the_same_in_every_process_and_apart_from_num_train(corpus):
    program = (
        "import hashlib; from transformer_course.data.corpus import load_corpus;"
        "corpus = load_corpus(60, 9, 15, 3);"
        "text = repr([(p.source, p.target, sorted(p.alignment)) for s in (corpus.train, corpus.validation, corpus.test,"
        " corpus.longer, corpus.composition) for p in s]);"
        "print(hashlib.sha256(text.encode()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1
    assert len(digests.pop().strip()) == hashlib.sha256().digest_size * 2
    other = load_corpus(10, 20, 90, seed=3)
    assert (other.test, other.longer, other.composition) == (corpus.test, corpus.longer, corpus.composition)
    assert load_corpus(10, 20, 90, seed=4).test != corpus.test


def test_callers_get_lists_of_their_own():
    first = load_corpus(30, 5, 5)
    first.train.clear()
    assert len(load_corpus(30, 5, 5).train) == 30


@pytest.mark.parametrize("name", ["num_train", "num_validation", "num_test"])
def test_negative_numbers(name):
    with pytest.raises(ValueError, match=f"{name}: expected 0 or more, got -1"):
        load_corpus(**{**ARGUMENTS, name: -1})


@pytest.mark.slow
def test_the_default_corpus_against_the_rules():
    corpus = load_corpus()
    for pairs in all_sets(corpus):
        for pair in pairs:
            for assert_rule in ALL_CHECKS:
                assert_rule(pair)
    for side in ("source", "target"):
        known = {word for pair in corpus.train for word in getattr(pair, side)}
        assert {word for pairs in all_sets(corpus) for pair in pairs for word in getattr(pair, side)} == known


def pair_of(source, target):
    """Make a pair whose words correspond one to one."""
    source, target = tuple(source.split()), tuple(target.split())
    return SentencePair(source, target, frozenset((i, i) for i in range(len(source))))


RIGHT = pair_of("the small apple is green .", "la petite pomme est verte .")


@pytest.mark.parametrize(
    ("check", "target"),
    [
        (check_noun_phrases, "le petite pomme est verte ."),
        (check_noun_phrases, "la petit pomme est verte ."),
        (check_first_subject, "la petite pomme est vert ."),
        (check_first_subject, "la petite pomme sont verte ."),
        (check_alignment, "la petite pommes est verte ."),
        (check_spelling, "l' petite pomme est verte ."),
        (check_spelling, "la petite pomme est verte ?"),
        (check_verbs, "ne petite pomme est verte ."),
        (check_verbs, "il petite pomme est verte ."),
    ],
)
def test_the_rules_see_mistakes(check, target):
    check(RIGHT)
    with pytest.raises(AssertionError):
        check(replace(RIGHT, target=tuple(target.split())))


def test_sure_links_are_those_of_words_without_another_link():
    # verra comes from two words, will and see; ne and pas come from one, not.
    pair = SentencePair(
        ("the", "boy", "will", "not", "see", "her"),
        ("le", "garçon", "ne", "la", "verra", "pas"),
        frozenset({(0, 0), (1, 1), (2, 3), (3, 5), (4, 2), (4, 4), (5, 3)}),
    )
    assert pair.sure_links == {(0, 0), (1, 1), (3, 5)}
