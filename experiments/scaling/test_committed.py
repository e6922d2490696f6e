"""What the committed file of this experiment holds, and that this program wrote it."""

from experiments.results import committed
from experiments.scaling import run as scaling


def runs(name: str) -> list[dict]:
    return committed(name)["runs"]


def test_every_number_of_updates_is_there_with_the_same_seeds():
    trained = [(run["updates"], run["seed"]) for run in runs("scaling") if "updates" in run]
    seeds = {seed for _, seed in trained}
    assert seeds <= set(scaling.SEEDS)
    assert sorted(trained) == sorted((number, seed) for number in (*scaling.UPDATES, scaling.LONG) for seed in seeds)
    assert any(set(run["prediction_from"]) == seeds for run in runs("scaling") if "prediction_from" in run)
