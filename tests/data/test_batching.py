"""Batches: every example once, never too large, little padding, the same for the same seed."""

import pytest
import torch

from transformer_course.common.tokens import BOS, EOS, PAD, UNK, Vocabulary
from transformer_course.data.batching import Batch, make_batches, make_examples
from transformer_course.data.corpus import SentencePair


def drawn(number, longest, generator):
    """Rows of ids of different lengths, between BOS and EOS."""
    for length in torch.randint(longest + 1, (number,), generator=generator).tolist():
        yield [BOS, *torch.randint(UNK + 1, 50, (length,), generator=generator).tolist(), EOS]


@pytest.fixture(scope="module")
def examples():
    generator = torch.Generator().manual_seed(1)
    return [
        (source[1:], target)
        for source, target in zip(drawn(533, 23, generator), drawn(533, 31, generator), strict=True)
    ]


def unpadded(rows):
    return [[token for token in row if token != PAD] for row in rows.tolist()]


@pytest.mark.parametrize("seed", [None, 0])
def test_every_example_is_in_exactly_one_batch_within_the_limit(examples, seed):
    generator = None if seed is None else torch.Generator().manual_seed(seed)
    batches = make_batches(examples, 500, generator)
    assert sorted(index for batch in batches for index in batch.indices) == list(range(533))
    for batch in batches:
        assert batch.source.dtype == batch.target.dtype == torch.long
        assert batch.source.numel() + batch.target.numel() <= 500
        chosen = [examples[index] for index in batch.indices]
        assert unpadded(batch.source) == [source for source, _ in chosen]
        assert unpadded(batch.target) == [target for _, target in chosen]
        assert batch.source.shape == (len(chosen), max(len(source) for source, _ in chosen))
        assert batch.target.shape == (len(chosen), max(len(target) for _, target in chosen))


def test_order_without_and_with_a_generator(examples):
    in_order = [index for batch in make_batches(examples, 500) for index in batch.indices]
    lengths = [len(examples[index][0]) for index in in_order]
    assert lengths == sorted(lengths)

    def shuffled(seed):
        return [batch.indices for batch in make_batches(examples, 500, torch.Generator().manual_seed(seed))]

    assert shuffled(0) == shuffled(0)
    assert shuffled(0) != shuffled(1)
    generator = torch.Generator().manual_seed(0)
    first, second = (make_batches(examples, 500, generator) for _ in range(2))  # two epochs
    assert {frozenset(batch.indices) for batch in first} != {frozenset(batch.indices) for batch in second}


def padding_share(batches):
    tokens = torch.cat([side.flatten() for batch in batches for side in (batch.source, batch.target)])
    return (tokens == PAD).double().mean()


def test_buckets_save_padding():
    generator = torch.Generator().manual_seed(2)
    alike = [(row[1:], row) for row in drawn(2_000, 25, generator)]
    assert padding_share(make_batches(alike, 700, generator)) < 0.02
    unsorted = [alike[start : start + 13] for start in range(0, 2_000, 13)]
    assert padding_share([make_batches(group, 10**6)[0] for group in unsorted]) > 0.3  # what the buckets save


def test_one_long_example_and_none():
    assert make_batches([], 10) == []
    with pytest.raises(ValueError, match="max_tokens: expected at least 7, the length of example 1 .* got 6"):
        make_batches([([4, EOS], [BOS, 5, EOS]), ([4, 4, EOS], [BOS, 5, 5, EOS])], 6)


def test_examples_have_the_special_tokens_and_unknown_words_are_unk():
    train = [SentencePair(("the", "cat"), ("le", "chat"), frozenset())]
    english = Vocabulary.from_sentences(pair.source for pair in train)
    french = Vocabulary.from_sentences(pair.target for pair in train)
    test = SentencePair(("the", "dog"), ("le", "chien"), frozenset())
    assert make_examples([test], english.encode, french.encode) == [([5, UNK, EOS], [BOS, 5, UNK, EOS])]


def test_batch_to_device(device):
    batch = Batch(torch.tensor([[4, EOS]]), torch.tensor([[BOS, 5, EOS]]), (3,)).to(device)
    assert batch.source.device.type == batch.target.device.type == device.type
    assert batch.indices == (3,)
