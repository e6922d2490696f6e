"""What the committed file of this experiment holds, and that this program wrote it."""

import torch

from experiments.division import run as division
from experiments.results import committed


def runs(name: str) -> list[dict]:
    return committed(name)["runs"]


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
            and watched["rate"] in run["rates"]
        ]
        ends = torch.tensor(watched["loss"])[:, -3:].mean(dim=1)
        of_record = torch.tensor(kept["last_30"][kept["rates"].index(watched["rate"])])
        torch.testing.assert_close(ends, of_record, rtol=1e-3, atol=2e-4)  # both are rounded to four places
