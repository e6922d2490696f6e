"""What a training run is told: one frozen record, saved with its checkpoint."""

import math
from dataclasses import asdict, dataclass

from transformer_course.transformer import noam_learning_rate

SCHEDULES = ("linear", "cosine", "noam")


@dataclass(frozen=True)
class TrainingConfig:
    """How long, how fast and how large.

    Exactly one of `num_steps` and `cpu_seconds` ends the run. Steps are reproducible bit for bit on a CPU; seconds
    compare models at equal cost.

    Args:
        num_steps: updates of the weights, or None.
        cpu_seconds: seconds of CPU time of this process, or None.
        learning_rate: the highest rate of the "linear" schedule; a factor on the rate of the "noam" schedule.
        schedule: "linear" rises over the warm-up and falls in a straight line to `final_fraction`; "cosine" falls there
            along half a wave (Loshchilov & Hutter 2017, equation 5); "noam" is Vaswani et al. (2017), section 5.3,
            equation 3.
        warmup_steps: updates over which the rate rises.
        final_fraction: where "linear" and "cosine" end, as a share of `learning_rate`.
        smoothing: label smoothing, 0 to 1.
        weight_decay: every update also makes all weights smaller, by this share of themselves times the learning rate
            (Loshchilov & Hutter 2019, algorithm 2).
        max_grad_norm: the gradient is clipped to this norm.
        micro_batch_tokens: padded tokens, source and target together, of what runs through the model at once.
        update_tokens: target tokens of one update; micro-batches are accumulated until there are as many.
            None: one micro-batch is one update.
        seed: for the order of the batches and for dropout.
    """

    num_steps: int | None = None
    cpu_seconds: float | None = None
    learning_rate: float = 2e-3
    schedule: str = "linear"
    warmup_steps: int = 200
    final_fraction: float = 0.05
    smoothing: float = 0.0
    weight_decay: float = 0.0
    max_grad_norm: float = 1.0
    micro_batch_tokens: int = 1_024
    update_tokens: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if (self.num_steps is None) == (self.cpu_seconds is None):
            raise ValueError("num_steps, cpu_seconds: expected exactly one of the two")
        for name in ("num_steps", "cpu_seconds", "learning_rate", "max_grad_norm", "micro_batch_tokens"):
            number = getattr(self, name)
            if number is not None and number <= 0:
                raise ValueError(f"{name}: expected a number above 0, got {number}")
        if self.schedule not in SCHEDULES:
            raise ValueError(f"schedule: expected one of {', '.join(SCHEDULES)}, got {self.schedule!r}")
        if not 0 <= self.smoothing < 1:
            raise ValueError(f"smoothing: expected a number from 0 up to 1, got {self.smoothing}")
        if self.weight_decay < 0:
            raise ValueError(f"weight_decay: expected 0 or more, got {self.weight_decay}")
        if self.warmup_steps < 1:
            raise ValueError(f"warmup_steps: expected at least 1, got {self.warmup_steps}")

    def to_dict(self) -> dict:
        """Return the settings as plain numbers and strings."""
        return asdict(self)

    def learning_rate_at(self, step: int, fraction: float, d_model: int) -> float:
        """Return the learning rate of an update.

        Args:
            step: the number of the update, from 1.
            fraction: the share of the run that is over, 0 to 1.
            d_model: the width of the model, for "noam".

        Returns:
            The learning rate.
        """
        if self.schedule == "noam":
            return self.learning_rate * noam_learning_rate(step, d_model, self.warmup_steps)
        rising = min(1.0, step / self.warmup_steps)
        done = min(1.0, fraction)
        if self.schedule == "cosine":
            done = (1.0 - math.cos(math.pi * done)) / 2
        falling = 1.0 - (1.0 - self.final_fraction) * done
        return self.learning_rate * rising * falling
