"""What the committed file of this experiment holds, and that this program wrote it."""

import pytest

from experiments.language import recipes as language_runs
from experiments.language import run as language_models
from experiments.results import committed
from transformer_course.data.shakespeare import load_shakespeare


def runs(name: str) -> list[dict]:
    return committed(name)["runs"]


@pytest.mark.parametrize("name", language_models.NAMES)
def test_a_live_beginning_of_a_language_model_agrees_with_the_committed_one(name):
    of_name = [run for run in runs("language") if run["recipe"] == name and run["seed"] == 0]
    if not of_name:
        pytest.skip("not measured")
    live = language_runs.train(name, 0, load_shakespeare(), num_steps=3)[1].progress.losses
    kept = of_name[0]["first_losses"][:3]
    assert live[:2] == pytest.approx(kept[:2], abs=0.001)
    # The rate of the second update depended on the seconds that the first one took.
    assert live[2] == pytest.approx(kept[2], abs=0.05)


def test_every_recipe_is_there_once_and_with_the_first_seed():
    keys = [(run["recipe"], run["seed"]) for run in runs("language")]
    assert "modern block, Muon, n-gram embeddings" in {recipe for recipe, _ in keys}
    assert len(keys) == len(set(keys))
    assert {recipe for recipe, _ in keys} == {recipe for recipe, seed in keys if seed == 0}
