"""The committed results of long runs, against a live run of their first updates."""

import json
import random
from dataclasses import asdict

import pytest
import torch

from experiments.beginnings import run as beginnings
from experiments.broken_runs import run as broken_runs
from experiments.captions import run as captions
from experiments.copying import run as copying
from experiments.digits import run as digits
from experiments.division import run as division
from experiments.induction import run as induction
from experiments.judges import run as judges
from experiments.ladder import run as ladder
from experiments.language import recipes as language_runs
from experiments.language import run as language_models
from experiments.long_range import run as long_range
from experiments.longer import run as longer
from experiments.longer.joining import JoiningTrainer, join_pairs, positions_from
from experiments.looks import run as looks
from experiments.masked_language import run as masked_language
from experiments.modern_parts import run as modern_parts
from experiments.modern_translators import run as modern_translators
from experiments.pointing import run as pointing
from experiments.positions import run as positions
from experiments.published_weights import run as published_weights
from experiments.questions import run as questions
from experiments.recipe import run as recipe
from experiments.results import committed
from experiments.scale import run as scale
from experiments.scaling import run as scaling
from experiments.sorters import run as sorters
from experiments.weight_decay import run as weight_decay
from transformer_course.common.tokens import BOS, EOS
from transformer_course.data.shakespeare import load_shakespeare
from transformer_course.training.config import TrainingConfig
from transformer_course.training.ladder.models import small_transformer
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


def test_only_the_decay_differs_from_the_ladder_where_there_is_none():
    of_ladder, without = (committed(name) for name in ("ladder", "weight_decay"))
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


def test_random_starts_change_the_training_and_not_the_positions():
    for kind, same in positions.TRAINED_FROM_RANDOM_STARTS.items():
        torch.manual_seed(0)
        model = positions.LookBack(kind)
        torch.manual_seed(0)
        of_same = positions.LookBack(same)
        assert torch.equal(model.table, of_same.table)
        assert isinstance(model.table, torch.nn.Parameter) == (same == "learned")


def test_gaps_and_labels_have_every_run_once_with_the_settings_of_the_program():
    kept = committed("masked_language")
    assert kept["settings"] == masked_language.SETTINGS
    planned = [asdict(run) for run in masked_language.plan()]
    found = [{key: run[key] for key in planned[0]} for run in kept["runs"] if run["kind"] == "labels"]
    assert len(found) == len(planned)
    assert all(run in found for run in planned)
    starts = {
        (run["shares"], run["pretraining"], run["few_clauses"], run["seed"])
        for run in planned
        if run["start"] == "pretrained"
    }
    pretraining = [run for run in kept["runs"] if run["kind"] == "pretraining"]
    assert len(pretraining) == len(starts)
    assert {(r["shares"], r["pretraining"], r["few_clauses"], r["seed"]) for r in pretraining} == starts


@pytest.mark.parametrize(
    "module",
    [recipe, sorters, broken_runs, division, captions, copying, looks, pointing, questions, long_range],
    ids=lambda module: module.__name__,
)
def test_a_committed_file_has_the_settings_of_its_program(module):
    name = module.__name__.split(".")[-2]
    settings = committed(name)["settings"]
    if module is recipe:
        assert (settings["updates"], settings["plain"], settings["runs"]) == (recipe.UPDATES, recipe.PLAIN, recipe.RUNS)
    else:
        assert settings == json.loads(json.dumps(module.SETTINGS))


def test_the_division_is_all_there_and_a_live_run_agrees():
    names = ("d_k", "head", "optimizer", "num_steps")
    kept = {
        (*(run[name] for name in names), tuple(run["rates"])): run["last_30"]
        for run in runs("division")
        if "d_k" in run
    }
    assert sorted(kept) == sorted(division.PLAN)
    assert [run["watched"] for run in runs("division") if "watched" in run] == list(division.WATCHED)
    key = (8, "not divided", "adam", division.STEPS, division.RATES["adam"])
    torch.testing.assert_close(division.last_losses(*key), torch.tensor(kept[key]), rtol=0.05, atol=0.01)


def test_the_curves_of_the_watched_heads_end_where_the_record_says():
    for watched in (run for run in runs("division") if "watched" in run):
        (kept,) = [
            run
            for run in runs("division")
            if (run.get("d_k"), run.get("head"), run.get("optimizer"), run.get("num_steps"))
            == (256, watched["watched"], "adam", division.STEPS)
        ]
        ends = torch.tensor(watched["loss"])[:, -3:].mean(dim=1)
        of_record = torch.tensor(kept["last_30"][kept["rates"].index(watched["rate"])])
        torch.testing.assert_close(ends, of_record, rtol=1e-3, atol=2e-4)  # both are rounded to four places


def test_copiers_and_looks_are_all_there_and_a_copier_agrees():
    planned = [(width, backwards, seed) for seed in copying.SEEDS for width, backwards in copying.MODELS]
    kept = {(run["d_hidden"], run["backwards"], run["seed"]): run["copied"] for run in runs("copying")}
    assert list(kept) == planned
    live = copying.copied(copying.train_copier(16, 0))
    assert live == pytest.approx(kept[16, False, 0], abs=0.15)  # another processor's rounding, another model
    assert [(run["model"], run["seed"]) for run in runs("looks")] == [(m, s) for m in looks.BUILD for s in looks.SEEDS]


def test_sorters_and_broken_runs_are_all_there():
    assert sorted((run["run"], run["seed"]) for run in runs("broken_runs")) == sorted(broken_runs.RUNS)
    keys = {(run["task"], run.get("order"), run.get("rate"), run.get("warmup"), run["seed"]) for run in runs("sorters")}
    assert len(keys) == len(runs("sorters")) == 3 * (1 + 1 + 8)


def test_a_live_beginning_of_a_sorter_agrees_with_the_committed_one():
    key = {"task": "warm-up", "order": "post-norm", "rate": 0.003, "warmup": "warm-up", "seed": 0}
    (kept,) = [run for run in runs("sorters") if key.items() <= run.items()]
    live = sorters.warm_up_run("post-norm", 0.003, "warm-up", 0, updates=4)
    assert live["losses"] == pytest.approx(kept["losses"][:4], abs=0.02)


def test_every_run_of_the_longer_sentences_has_its_seeds_and_the_settings_of_the_ladder():
    kept = committed("longer")
    assert kept["settings"]["transformer"] == ladder.SETTINGS["transformer"]
    assert kept["settings"]["cpu_seconds"] == ladder.CPU_SECONDS
    for name, (_, options, _) in longer.TRAINERS.items():
        of_name = [run for run in kept["runs"] if run["run"] == name]
        assert sorted(run["seed"] for run in of_name) == ([0] if name in longer.ONE_SEED else [0, 1, 2])
        assert all(run["options"] == options for run in of_name)


def test_the_longer_sentences_to_choose_on_are_in_no_split(language):
    pairs = longer.longer_validation(language, number=200)
    known = {pair.source for split in language.splits.values() for pair in split}
    assert len(pairs) > 190
    assert known.isdisjoint(pair.source for pair in pairs)
    assert all(21 <= len(pair.source) <= 30 for pair in pairs)


def test_joined_pairs_hold_every_sentence_once():
    examples = [([10 + i, EOS], [BOS, 20 + i, 30 + i, EOS]) for i in range(7)]
    joined = join_pairs(examples, 0.6, random.Random(0))
    assert sorted(len(source) for source, _ in joined) == [2, 2, 2, 3, 3]
    assert sorted(token for source, _ in joined for token in source[:-1]) == [10 + i for i in range(7)]
    for source, target in joined:
        assert source[-1] == EOS
        assert target[0] == BOS
        assert target[-1] == EOS
        assert target[1:-1] == [token + more for token in source[:-1] for more in (10, 20)]
    with pytest.raises(ValueError, match="share: expected a number from 0 to 1"):
        join_pairs(examples, 1.5, random.Random(0))


def test_pairs_are_joined_after_the_plain_passes_and_the_same_way_when_a_run_goes_on():
    examples = [([10 + i, EOS], [BOS, 20 + i, EOS]) for i in range(8)]
    config = TrainingConfig(num_steps=1)
    trainer, again = (JoiningTrainer(small_transformer(20, 30), examples, config, 0.5, num_plain=1) for _ in range(2))
    assert trainer.examples_of_epoch() == examples
    trainer.progress.epoch = again.progress.epoch = 1
    first = trainer.examples_of_epoch()
    assert len(first) == 6
    assert first == again.examples_of_epoch()
    trainer.progress.epoch = 2
    assert first != trainer.examples_of_epoch()


def test_positions_that_start_late_are_those_behind_other_tokens():
    torch.manual_seed(0)
    embedding = small_transformer(20, 30).source_embedding
    model = torch.nn.Module()
    model.source_embedding, model.target_embedding = embedding, embedding
    tokens = torch.tensor([[7, 8, 9]])
    with positions_from(model, 5, 5):
        late = embedding(tokens)
    torch.testing.assert_close(late, embedding(tokens, start=5))
    torch.testing.assert_close(embedding(tokens), embedding(tokens, start=0))


@pytest.mark.parametrize("module", [language_models, scaling, induction], ids=lambda module: module.__name__)
def test_the_runs_of_language_models_have_the_settings_of_their_program(module):
    name = module.__name__.split(".")[-2]
    settings = committed(name)["settings"]
    assert settings == json.loads(json.dumps(module.SETTINGS))


def test_the_runs_of_language_models_are_there_once():
    recipes = {run["recipe"] for run in runs("language")} - {"counting"}
    assert "modern block, Muon, n-gram embeddings" in recipes
    for name, keys in (
        ("language", [(run["recipe"], run["seed"]) for run in runs("language")]),
        ("induction", [(run["kind"], run["num_layers"], run["seed"]) for run in runs("induction")]),
    ):
        assert len(keys) == len(set(keys)), name
        assert {key[:-1] for key in keys} == {key[:-1] for key in keys if key[-1] == 0}, f"{name}: seed 0 is missing"
    trained = [(run["updates"], run["seed"]) for run in runs("scaling") if "updates" in run]
    seeds = {seed for _, seed in trained}
    assert seeds <= set(scaling.SEEDS)
    assert sorted(trained) == sorted((number, seed) for number in (*scaling.UPDATES, scaling.LONG) for seed in seeds)
    assert any(set(run["prediction_from"]) == seeds for run in runs("scaling") if "prediction_from" in run)
    assert {(run["kind"], run["num_layers"]) for run in runs("induction")} == set(induction.MODELS)


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


def test_logistic_regression_on_digits_gives_the_committed_numbers_again():
    kept = committed("digits")
    assert kept["settings"] == json.loads(json.dumps(digits.SETTINGS))
    of_part = [run for run in kept["runs"] if run["part"] == "logistic"]
    keys = {(run["number"], run["shifts"], run["strength"], run["seed"]) for run in of_part}
    assert len(keys) == len(of_part) == len(digits.NUMBERS) * 2 * len(digits.STRENGTHS) * len(digits.SEEDS)
    train, test = digits.load_digits()
    chosen = train[torch.randperm(len(train), generator=torch.Generator().manual_seed(1))[:100]]
    live = digits.measure(digits.LogisticRegression(chosen, 1.0), test)
    (run,) = [
        run for run in of_part if (run["number"], run["shifts"], run["strength"], run["seed"]) == (100, False, 1, 1)
    ]
    assert live == pytest.approx({name: run[name] for name in live}, abs=0.01)


def test_captions_and_questions_are_all_there():
    kept = {(run["model"], run["seed"]) for run in runs("captions")}
    assert kept >= {(name, seed) for name in ("attention", "pooled") for seed in captions.SEEDS}
    kept = {(run["model"], run["seed"]) for run in runs("pointing")}
    assert kept >= {("patches apart", seed) for seed in captions.SEEDS}
    kept = [(run["model"], run["seed"]) for run in runs("questions")]
    assert len(kept) == len(set(kept))
    assert {name for name, _ in kept} >= {"cross attention", "matching"}
    assert {name for name, _ in kept} <= {*questions.answering.MODELS, "matching"}


def test_a_live_beginning_of_captions_agrees_with_the_committed_one():
    (kept,) = [run for run in runs("captions") if run["model"] == "attention" and run["seed"] == 0]
    _, losses = captions.train("attention", 0, num_steps=captions.BEGINNING)
    # The rate of the long run rose with its seconds, not with its updates: alike, not equal.
    assert sum(losses[50:100]) / 50 == pytest.approx(kept["losses"][1], abs=0.25)


def test_the_runs_at_a_distance_are_there_once_with_all_ways():
    keys = [(run["part"], run["way"], run["seed"]) for run in runs("long_range")]
    assert len(keys) == len(set(keys))
    for way in long_range.WAYS:
        assert sorted(seed for part, name, seed in keys if (part, name) == ("copying", way)) == [0, 1, 2]
    for run in runs("long_range"):
        if run["part"] == "copying":
            assert list(run["copied"]) == [str(period) for period in long_range.PERIODS]


def test_a_model_that_sees_less_is_the_full_one_with_another_attention():
    tokens = torch.randint(64, (2, 12), generator=torch.Generator().manual_seed(0))
    models = {}
    for name, how in long_range.WAYS.items():
        torch.manual_seed(0)
        models[name] = long_range.RangeModel(how).double()
    # Within the window there is no difference, beyond it there is; linear attention differs from the third token on.
    torch.testing.assert_close(models["window of 16"](tokens), models["full"](tokens))
    long = tokens.repeat(1, 2)
    assert not torch.allclose(models["window of 16"](long)[:, -1], models["full"](long)[:, -1])
    assert not torch.allclose(models["linear"](tokens)[:, 2], models["full"](tokens)[:, 2])
    changed = tokens.clone()
    changed[:, 8:] = 0
    for name, model in models.items():
        assert torch.allclose(model(changed)[:, :8], model(tokens)[:, :8]), name


def test_the_modern_parts_are_of_this_program():
    kept = committed("modern_parts")
    assert kept["settings"] == json.loads(json.dumps(modern_parts.SETTINGS))
    data = load_shakespeare()
    for run in [run for run in kept["runs"] if run["seed"] == 0][:3]:
        live = modern_parts.train(run["variant"], 0, data, num_steps=2)
        assert live.progress.losses == pytest.approx(run["first_losses"][:2], abs=0.02)
        assert sum(parameter.numel() for parameter in live.model.parameters()) == run["parameters"]


def test_the_modern_translators_are_of_this_program():
    kept = committed("modern_translators")
    assert kept["settings"] == json.loads(json.dumps(modern_translators.SETTINGS))
    language = built_in_language()
    for run in [run for run in kept["runs"] if run["seed"] == 0][::3]:
        translator, trainer = modern_translators.train(run["variant"], 0, language, num_steps=2)
        assert trainer.progress.losses == pytest.approx(run["first_losses"][:2], abs=0.02)
        assert sum(parameter.numel() for parameter in translator.model.parameters()) == run["parameters"]


def test_published_weights_are_of_this_program():
    pytest.importorskip("transformers", reason="pip install -r requirements-dev.txt brings transformers")
    kept = {(run["model"], run["weights"]): run for run in runs("published_weights")}
    assert len(kept) == 6
    assert all(run["gap"] < 1e-5 for run in kept.values())
    live = published_weights.gpt2(published_weights.moved)
    assert live["traps"].keys() == kept["GPT-2", "moved"]["traps"].keys()
    for name, seen in live["traps"].items():
        assert seen["gap"] == pytest.approx(kept["GPT-2", "moved"]["traps"][name]["gap"], rel=0.05)
