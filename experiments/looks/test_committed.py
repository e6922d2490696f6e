"""What the committed file of this experiment holds, and that this program wrote it."""

from experiments.looks import run as looks
from experiments.results import committed


def runs(name: str) -> list[dict]:
    return committed(name)["runs"]


def test_looks_are_all_there():
    assert [(run["model"], run["seed"]) for run in runs("looks")] == [(m, s) for m in looks.BUILD for s in looks.SEEDS]
