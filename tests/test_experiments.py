"""The committed results of long runs, against a live run of their first updates."""

import json

import pytest

from experiments import beginnings, broken_runs, ladder, positions, recipe, scale, sorters, weight_decay
from experiments.results import FOLDER
from transformer_course.training.languages import built_in_language


def runs(name: str) -> list[dict]:
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))["runs"]


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
        return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))["settings"]

    kept = settings("beginnings")
    assert kept["ladder"] == settings("ladder")["models"] == ladder.SETTINGS
    assert kept["scale"] == {key: settings("scale")[key] for key in scale.SETTINGS} == scale.SETTINGS
    assert kept["num_train"] == settings("ladder")["num_train"] == settings("scale")["num_train"]


def test_only_the_decay_differs_from_the_ladder_where_there_is_none():
    of_ladder, without = (
        json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8")) for name in ("ladder", "weight_decay")
    )
    models, ladder_models = without["settings"].pop("models"), of_ladder["settings"].pop("models")
    assert models == weight_decay.SETTINGS
    for name, settings in models.items():
        assert settings.pop("weight_decay") == 0 < ladder_models[name].pop("weight_decay")
        assert settings == ladder_models[name]
        assert sorted(run["seed"] for run in without["runs"] if run["model"] == name) == [0, 1, 2]
    assert without["settings"] == of_ladder["settings"]


def test_every_run_of_the_ladder_has_its_three_seeds():
    for name in ladder.SETTINGS:
        assert sorted(run["seed"] for run in runs("ladder") if run["model"] == name) == [0, 1, 2]
        assert sorted(run["seed"] for run in runs("beginnings") if run["model"] == name) == [0, 1, 2]


def test_a_live_run_of_positions_agrees_with_the_committed_one():
    (kept,) = [run for run in runs("positions") if run["kind"] == "rotary" and run["seed"] == 0]
    live = positions.measure(*positions.train("rotary", 0))
    # The same seed: only the rounding of another processor may differ; chance is 1 in 12.
    assert sum(live["right"]) / 62 == pytest.approx(sum(kept["right"]) / 62, abs=0.05)


def test_positions_have_every_kind_and_seed_once():
    pairs = [(run["kind"], run["seed"]) for run in runs("positions")]
    assert sorted(pairs) == sorted((kind, seed) for kind in positions.KINDS for seed in positions.SEEDS)


@pytest.mark.parametrize("module", [recipe, sorters, broken_runs], ids=lambda module: module.__name__)
def test_a_committed_file_has_the_settings_of_its_program(module):
    name = module.__name__.split(".")[-1]
    settings = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))["settings"]
    if module is recipe:
        assert (settings["updates"], settings["plain"], settings["runs"]) == (recipe.UPDATES, recipe.PLAIN, recipe.RUNS)
    else:
        assert settings == module.SETTINGS


def test_sorters_and_broken_runs_are_all_there():
    assert sorted((run["run"], run["seed"]) for run in runs("broken_runs")) == sorted(broken_runs.RUNS)
    keys = {(run["task"], run.get("order"), run.get("rate"), run.get("warmup"), run["seed"]) for run in runs("sorters")}
    assert len(keys) == len(runs("sorters")) == 3 * (1 + 8)
