"""The broken runs of chapter 10 are broken, each in its way."""

import math

import pytest
import torch

from experiments.broken_runs.faults import (
    FAULTS,
    MAX_LENGTH,
    MIN_LENGTH,
    VOCAB_SIZE,
    Run,
    reversing_examples,
    train_reverser,
)
from experiments.results import committed
from transformer_course.common.tokens import BOS, EOS


def test_examples_are_reversed_and_of_all_lengths():
    train, test = reversing_examples()
    assert (len(train), len(test)) == (6_000, 400)
    assert train[:400] != test
    assert {len(source) - 1 for source, _ in train} == set(range(MIN_LENGTH, MAX_LENGTH + 1))
    assert {token for source, _ in train for token in source[:-1]} == set(range(4, VOCAB_SIZE))
    for source, target in train:
        assert target == [BOS, *source[-2::-1], EOS]
        assert source[-1] == EOS


def test_a_run_that_copies_its_labels_is_fast_and_useless():
    right, broken = train_reverser("", num_steps=40), train_reverser("B", num_steps=40)
    assert broken.end < 0.5 < 1.5 < right.end
    assert broken.share < 0.05


def test_softmax_twice_has_a_floor():
    assert min(train_reverser("E", num_steps=12).losses) > math.log(math.e + 13) - 1


def test_a_fault_that_there_is_not_is_refused():
    assert len(FAULTS) == 5
    with pytest.raises(ValueError, match="fault: expected one of A, B, C, D, E, got 'F'"):
        train_reverser("F")


def test_the_end_of_a_run_is_the_mean_of_its_last_ten_losses():
    assert Run([9.0] * 5 + [1.0] * 10, 0.0).end == 1.0


def test_the_committed_runs_begin_as_a_live_one():
    kept = next(run for run in committed("broken_runs")["runs"] if (run["run"], run["seed"]) == ("E", 0))
    torch.testing.assert_close(
        torch.tensor(train_reverser("E", num_steps=3).losses), torch.tensor(kept["losses"][:3]), atol=0.02, rtol=0
    )
