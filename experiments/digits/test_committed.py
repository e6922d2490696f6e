"""What the committed file of this experiment holds, and that this program wrote it."""

import json

import pytest
import torch

from experiments.digits import run as digits
from experiments.results import committed


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
