"""What the committed file of this experiment holds, and that this program wrote it."""

import pytest

from experiments.results import committed
from experiments.sorters import run as sorters


def runs(name: str) -> list[dict]:
    return committed(name)["runs"]


def test_a_live_beginning_of_a_sorter_agrees_with_the_committed_one():
    key = {"task": "warm-up", "order": "post-norm", "rate": 0.003, "warmup": "warm-up", "seed": 0}
    (kept,) = [run for run in runs("sorters") if key.items() <= run.items()]
    live = sorters.warm_up_run("post-norm", 0.003, "warm-up", 0, updates=4)
    assert live["losses"] == pytest.approx(kept["losses"][:4], abs=0.02)


def test_every_sorter_is_there_once():
    keys = {(run["task"], run.get("order"), run.get("rate"), run.get("warmup"), run["seed"]) for run in runs("sorters")}
    assert len(keys) == len(runs("sorters")) == 3 * (1 + 1 + 8)
