"""What the committed file of this experiment holds, and that this program wrote it."""

from experiments.captions import run as captions
from experiments.results import committed


def runs(name: str) -> list[dict]:
    return committed(name)["runs"]


def test_patches_apart_have_the_seeds_of_the_captions():
    kept = {(run["model"], run["seed"]) for run in runs("pointing")}
    assert kept >= {("patches apart", seed) for seed in captions.SEEDS}
