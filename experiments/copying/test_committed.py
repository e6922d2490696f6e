"""What the committed file of this experiment holds, and that this program wrote it."""

import pytest

from experiments.copying import run as copying
from experiments.results import committed


def runs(name: str) -> list[dict]:
    return committed(name)["runs"]


def test_copiers_are_all_there_and_one_agrees():
    planned = [(width, backwards, seed) for seed in copying.SEEDS for width, backwards in copying.MODELS]
    kept = {(run["d_hidden"], run["backwards"], run["seed"]): run["copied"] for run in runs("copying")}
    assert list(kept) == planned
    live = copying.copied(copying.train_copier(16, 0))
    assert live == pytest.approx(kept[16, False, 0], abs=0.15)  # another processor's rounding, another model
