"""What the committed file of this experiment holds, and that this program wrote it."""

import json

import pytest

from experiments.modern_translators import run as modern_translators
from experiments.results import committed
from transformer_course.training.languages import built_in_language


def test_the_modern_translators_are_of_this_program():
    kept = committed("modern_translators")
    assert kept["settings"] == json.loads(json.dumps(modern_translators.SETTINGS))
    language = built_in_language()
    for run in [run for run in kept["runs"] if run["seed"] == 0][::3]:
        translator, trainer = modern_translators.train(run["variant"], 0, language, num_steps=2)
        assert trainer.progress.losses == pytest.approx(run["first_losses"][:2], abs=0.02)
        assert sum(parameter.numel() for parameter in translator.model.parameters()) == run["parameters"]
