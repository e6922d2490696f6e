"""The committed runs of chapter 13's small models, against a live one."""

import torch

from experiments.language import recipes
from experiments.results import committed
from transformer_course.data.shakespeare import load_shakespeare
from transformer_course.training.language import nats_per_token


def test_the_shortest_committed_run_is_of_this_program():
    kept = [run for run in committed("scaling")["runs"] if run.get("updates") == 100 and run["seed"] == 0]
    data = load_shakespeare()
    torch.set_num_threads(1)
    model, _ = recipes.train("a small model", 0, data, num_steps=100, warmup_steps=10)
    assert abs(nats_per_token(model, data.validation[:40_000], 64) - kept[0]["nats"]) < 0.03
