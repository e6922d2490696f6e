"""What the committed file of this experiment holds, and that this program wrote it."""

from experiments.ladder import run as ladder
from experiments.results import committed


def runs(name: str) -> list[dict]:
    return committed(name)["runs"]


def test_every_run_of_the_ladder_has_its_three_seeds():
    for name in ladder.SETTINGS:
        assert sorted(run["seed"] for run in runs("ladder") if run["model"] == name) == [0, 1, 2]
        assert sorted(run["seed"] for run in runs("beginnings") if run["model"] == name) == [0, 1, 2]
