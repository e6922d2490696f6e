"""Settings: what is refused, and learning rates worked by hand."""

import pytest

from transformer_course.training.config import TrainingConfig


def test_linear_schedule_by_hand():
    config = TrainingConfig(num_steps=100, learning_rate=0.01, warmup_steps=4, final_fraction=0.2)
    assert config.learning_rate_at(1, 0.0, 8) == pytest.approx(0.0025)  # a quarter of the way up
    assert config.learning_rate_at(4, 0.0, 8) == pytest.approx(0.01)
    assert config.learning_rate_at(50, 0.5, 8) == pytest.approx(0.006)  # half of the way from 1 to 0.2
    assert config.learning_rate_at(100, 1.0, 8) == pytest.approx(0.002)


def test_noam_schedule_is_that_of_the_paper():
    config = TrainingConfig(num_steps=1, learning_rate=1.0, schedule="noam", warmup_steps=4000)
    assert config.learning_rate_at(4000, 0.3, 512) == pytest.approx(6.988e-4, rel=1e-3)  # 1 / sqrt(512 * 4000)
    assert config.learning_rate_at(1, 0.0, 512) == pytest.approx(1.747e-7, rel=1e-3)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "num_steps, cpu_seconds: expected exactly one"),
        ({"num_steps": 3, "cpu_seconds": 1.0}, "num_steps, cpu_seconds: expected exactly one"),
        ({"num_steps": 0}, "num_steps: expected a number above 0, got 0"),
        ({"num_steps": 3, "schedule": "cubic"}, "schedule: expected one of linear, cosine, noam, got 'cubic'"),
        ({"num_steps": 3, "smoothing": 1.0}, "smoothing: expected a number from 0 up to 1, got 1.0"),
        ({"num_steps": 3, "weight_decay": -0.1}, "weight_decay: expected 0 or more, got -0.1"),
        ({"num_steps": 3, "warmup_steps": 0}, "warmup_steps: expected at least 1, got 0"),
    ],
)
def test_bad_settings(settings, message):
    with pytest.raises(ValueError, match=message):
        TrainingConfig(**settings)
