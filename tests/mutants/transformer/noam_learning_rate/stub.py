"""Has not begun."""

SAYS = "NotImplementedError"


def noam_learning_rate(step: int, d_model: int, warmup_steps: int = 4000) -> float:
    """Return the learning rate of an update, counted from 1."""
    raise NotImplementedError
