"""What the committed file of this experiment holds, and that this program wrote it."""

import json

import pytest

from experiments.judges import run as judges
from experiments.masked_language import run as masked_language
from experiments.results import committed


def runs(name: str) -> list[dict]:
    return committed(name)["runs"]


def test_the_judges_have_the_settings_of_their_program_and_each_seed_is_there_once():
    kept = committed("judges")
    assert kept["settings"] == json.loads(json.dumps(judges.SETTINGS))
    for kind in ("causal", "causal, as many questions", "causal, few clauses", "masked", "fine-tuned"):
        seeds = [run["seed"] for run in kept["runs"] if run["kind"] == kind]
        assert 0 in seeds, kind
        assert len(seeds) == len(set(seeds)), kind
    assert [run["order"] for run in kept["runs"] if run["kind"] == "n-grams"] == list(judges.ORDERS)


def test_a_masked_model_that_was_trained_again_is_the_one_of_the_chapter():
    before = {
        run["seed"]: run["form"]["mask"]
        for run in runs("masked_language")
        if run["kind"] == "pretraining" and run["pretraining"] == masked_language.LONG and not run["few_clauses"]
    }
    for run in runs("judges"):
        if run["kind"] == "masked":
            again = {frame: run["verb"][frame] for frame in before[run["seed"]]}
            assert again == pytest.approx(before[run["seed"]], abs=0.05)
