"""What the committed file of this experiment holds, and that this program wrote it."""

from experiments.broken_runs import run as broken_runs
from experiments.results import committed


def runs(name: str) -> list[dict]:
    return committed(name)["runs"]


def test_every_run_is_there_once():
    assert sorted((run["run"], run["seed"]) for run in runs("broken_runs")) == sorted(broken_runs.RUNS)
