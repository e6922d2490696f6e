"""What the committed file of this experiment holds, and that this program wrote it."""

from experiments.questions import run as questions
from experiments.results import committed


def runs(name: str) -> list[dict]:
    return committed(name)["runs"]


def test_every_model_is_there_once():
    kept = [(run["model"], run["seed"]) for run in runs("questions")]
    assert len(kept) == len(set(kept))
    assert {name for name, _ in kept} >= {"cross attention", "matching"}
    assert {name for name, _ in kept} <= {*questions.answering.MODELS, "matching"}
