"""What the committed file of this experiment holds, and that this program wrote it."""

import pytest

from experiments.published_weights import run as published_weights
from experiments.results import committed


def runs(name: str) -> list[dict]:
    return committed(name)["runs"]


def test_published_weights_are_of_this_program():
    pytest.importorskip("transformers", reason="pip install -r requirements-dev.txt brings transformers")
    kept = {(run["model"], run["weights"]): run for run in runs("published_weights")}
    assert len(kept) == 6
    assert all(run["gap"] < 1e-5 for run in kept.values())
    live = published_weights.gpt2(published_weights.moved)
    assert live["traps"].keys() == kept["GPT-2", "moved"]["traps"].keys()
    for name, seen in live["traps"].items():
        assert seen["gap"] == pytest.approx(kept["GPT-2", "moved"]["traps"][name]["gap"], rel=0.05)
