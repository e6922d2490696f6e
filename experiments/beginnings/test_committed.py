"""What the committed file of this experiment holds, and that this program wrote it."""

import pytest

from experiments.beginnings import run as beginnings
from experiments.ladder import run as ladder
from experiments.results import committed
from experiments.scale import run as scale
from transformer_course.training.languages import built_in_language


def runs(name: str) -> list[dict]:
    return committed(name)["runs"]


@pytest.fixture(scope="module")
def language():
    return built_in_language()


@pytest.mark.parametrize("name", ["gru", "transformer", "one head, not scaled"])
def test_a_live_beginning_agrees_with_the_committed_one(name, language):
    kept = {run["seed"]: run["loss"] for run in runs("beginnings") if run["model"] == name}
    live = beginnings.loss_of_beginning(name, 1, language)
    spread = max(kept.values()) - min(kept.values())
    # The same seed: only the rounding of another processor may differ, far less than one seed from the next.
    assert live == pytest.approx(kept[1], abs=max(0.25 * spread, 0.02))


def test_the_beginnings_are_of_the_settings_that_the_long_runs_had():
    def settings(name: str) -> dict:
        return committed(name)["settings"]

    kept = settings("beginnings")
    assert kept["ladder"] == settings("ladder")["models"] == ladder.SETTINGS
    assert kept["scale"] == {key: settings("scale")[key] for key in scale.SETTINGS} == scale.SETTINGS
    assert kept["num_train"] == settings("ladder")["num_train"] == settings("scale")["num_train"]
