"""What the committed file of this experiment holds, and that this program wrote it."""

from dataclasses import asdict

from experiments.masked_language import run as masked_language
from experiments.results import committed


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
