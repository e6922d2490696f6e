"""What the committed file of this experiment holds, and that this program wrote it."""

import pytest

from experiments.captions import run as captions
from experiments.results import committed


def runs(name: str) -> list[dict]:
    return committed(name)["runs"]


def test_a_live_beginning_of_captions_agrees_with_the_committed_one():
    (kept,) = [run for run in runs("captions") if run["model"] == "attention" and run["seed"] == 0]
    _, losses = captions.train("attention", 0, num_steps=captions.BEGINNING)
    # The rate of the long run rose with its seconds, not with its updates: alike, not equal.
    assert sum(losses[50:100]) / 50 == pytest.approx(kept["losses"][1], abs=0.25)


def test_every_model_has_its_seeds():
    kept = {(run["model"], run["seed"]) for run in runs("captions")}
    assert kept >= {(name, seed) for name in ("attention", "pooled") for seed in captions.SEEDS}
