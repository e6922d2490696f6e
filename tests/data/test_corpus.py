"""The built-in corpus: its sizes, lengths and splits."""

import pytest

from transformer_course.data.corpus import load_corpus


@pytest.fixture(scope="module")
def corpus():
    return load_corpus(num_train=700, num_validation=50, num_test=90, seed=3)


def test_sizes_lengths_and_disjoint_splits(corpus):
    sets = [corpus.train, corpus.validation, corpus.test, corpus.longer, corpus.composition]
    assert [len(pairs) for pairs in sets] == [700, 50, 90, 90, 90]
    for pairs in sets:
        low, high = (25, 30) if pairs is corpus.longer else (4, 24)
        assert {len(pair.source) for pair in pairs} <= set(range(low, high + 1))
    assert len({pair.source for pairs in sets for pair in pairs}) == 700 + 50 + 3 * 90


def test_every_word_on_both_sides_is_aligned(corpus):
    for pair in corpus.train + corpus.longer:
        assert {target for target, _ in pair.alignment} == set(range(len(pair.target)))
        assert {source for _, source in pair.alignment} == set(range(len(pair.source)))
