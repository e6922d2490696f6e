"""The helpers of the checks for chance, sizes and predictions, against samples and functions that are known."""

import pytest
import torch

from transformer_course.checks.chance import same_distribution
from transformer_course.checks.predictions import require_predictions
from transformer_course.checks.reporting import CheckFailed, draw
from transformer_course.checks.sizes import largest_tensor
from transformer_course.checks.suspects import TRUTH, reach, suspect


def test_two_samples_of_one_distribution_are_not_told_apart():
    reference = draw(2000, seed=1)
    assert all(same_distribution(draw(300, seed=seed), reference) for seed in range(2, 42))


@pytest.mark.parametrize("change", [lambda x: x + 0.6, lambda x: 2 * x, lambda x: x.abs(), lambda x: x * torch.nan])
def test_samples_of_two_distributions_are_told_apart(change):
    assert not same_distribution(change(draw(300, seed=1)), draw(2000, seed=2))


def test_the_allowed_distance_is_that_of_smirnov():
    # All of one sample lies below all of the other: their distance is 1, allowed only for a handful of samples.
    low, high = torch.zeros(10), torch.ones(10)
    assert same_distribution(low, high, false_alarm=1e-9)
    assert not same_distribution(low, high, false_alarm=1e-3)


def test_the_largest_tensor_on_the_way_is_counted():
    result, numbers = largest_tensor(lambda x: (x[:, None] * x).sum(-1), torch.ones(30))
    assert result.shape == (30,)
    assert numbers == 900
    assert largest_tensor(lambda x: x * x, torch.ones(30))[1] == 30


QUESTIONS, WORDS = ("a", "b"), ("yes", "no")


def test_complete_predictions_pass(capsys):
    require_predictions({"b": "no", "a": "yes"}, QUESTIONS, WORDS, "task 9")
    assert "task 9 measures it" in capsys.readouterr().out


@pytest.mark.parametrize("wrong", [{}, {"a": "yes"}, {"a": "yes", "b": "perhaps"}, {"a": "yes", "b": 1}, None, ["yes"]])
def test_a_prediction_that_is_missing_or_misspelt_is_refused(wrong):
    with pytest.raises(CheckFailed, match="missing or misspelt"):
        require_predictions(wrong, QUESTIONS, WORDS, "task 9")


@pytest.mark.parametrize("name", TRUTH)
def test_what_is_said_of_a_suspect_is_true(name):
    # By finite differences of the output and by autograd, without any of the detector's code.
    query, key, value = (draw(5, width, seed=width).double() for width in (4, 3, 2))
    query = query[:, :3]
    attention = suspect(name)
    felt = torch.zeros(5, 5, dtype=torch.bool)
    for j in range(5):
        for place, x in enumerate((key, value)):
            other = x.clone()
            other[j] -= 0.7
            arguments = (other, value) if place == 0 else (key, other)
            felt[:, j] |= (attention(query, *arguments) - attention(query, key, value)).abs().amax(-1) > 1e-8
    by_key, by_value = torch.autograd.functional.jacobian(
        lambda key, value: attention(query, key, value), (key, value)
    )  # (5, 2, 5, d)
    felt |= (by_key.abs().amax((1, 3)) > 1e-8) | (by_value.abs().amax((1, 3)) > 1e-8)
    assert torch.equal(felt, reach(name, 5))
