"""What the committed file of this experiment holds, and that this program wrote it."""

import pytest
import torch

from experiments.positions import run as positions
from experiments.results import committed


def runs(name: str) -> list[dict]:
    return committed(name)["runs"]


def test_a_live_run_of_positions_agrees_with_the_committed_one():
    (kept,) = [run for run in runs("positions") if run["kind"] == "rotary" and run["seed"] == 0]
    live = positions.measure(*positions.train("rotary", 0))
    # The same seed: only the rounding of another processor may differ; chance is 1 in 12.
    assert sum(live["right"]) / 62 == pytest.approx(sum(kept["right"]) / 62, abs=0.05)


def test_positions_have_every_kind_and_seed_once():
    pairs = [(run["kind"], run["seed"]) for run in runs("positions")]
    assert sorted(pairs) == sorted((kind, seed) for kind in positions.KINDS for seed in positions.SEEDS)


def test_random_starts_change_the_training_and_not_the_positions():
    for kind, same in positions.TRAINED_FROM_RANDOM_STARTS.items():
        torch.manual_seed(0)
        model = positions.LookBack(kind)
        torch.manual_seed(0)
        of_same = positions.LookBack(same)
        assert torch.equal(model.table, of_same.table)
        assert isinstance(model.table, torch.nn.Parameter) == (same == "learned")


def test_a_rotary_model_is_read_otherwise_only_after_its_training(monkeypatch):
    monkeypatch.setattr(positions, "NUM_STEPS", 3)
    as_trained, *others = (positions.train(kind, 0)[0] for kind in ("rotary", *positions.READ_OTHERWISE))
    fastest, slower = as_trained.frequencies[0], as_trained.frequencies[1:]
    for other, first in zip(others, (fastest / 4, fastest), strict=True):  # sentences of 64 in the place of 16
        assert all(map(torch.equal, as_trained.parameters(), other.parameters()))
        torch.testing.assert_close(other.frequencies, torch.cat([first[None], slower / 4]))
