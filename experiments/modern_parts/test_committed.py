"""What the committed file of this experiment holds, and that this program wrote it."""

import json

import pytest

from experiments.modern_parts import run as modern_parts
from experiments.results import committed
from transformer_course.data.shakespeare import load_shakespeare


def test_the_modern_parts_are_of_this_program():
    kept = committed("modern_parts")
    assert kept["settings"] == json.loads(json.dumps(modern_parts.SETTINGS))
    data = load_shakespeare()
    for run in [run for run in kept["runs"] if run["seed"] == 0][:3]:
        live = modern_parts.train(run["variant"], 0, data, num_steps=2)
        assert live.progress.losses == pytest.approx(run["first_losses"][:2], abs=0.02)
        assert sum(parameter.numel() for parameter in live.model.parameters()) == run["parameters"]
