"""The broken runs of chapter 10 are broken, each in its way."""

import math

import pytest
import torch

from experiments.broken_runs.faults import FAULTS, Run, train_reverser
from experiments.results import committed


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
