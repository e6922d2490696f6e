"""What every run of training has: a budget, progress that is shown and kept, and what it takes to stop and go on."""

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from torch import nn
from tqdm import tqdm

from transformer_course.common.subnormals import without_subnormals
from transformer_course.training.checkpoint import refuse_another_run, save_checkpoint
from transformer_course.training.config import TrainingConfig


@dataclass
class Progress:
    """Where a run stands.

    Args:
        step: updates made.
        epoch: passes over the data that are complete.
        updates_in_epoch: updates made in the pass that is under way.
        seconds: CPU seconds used.
        losses: the loss of every update.
    """

    step: int = 0
    epoch: int = 0
    updates_in_epoch: int = 0
    seconds: float = 0.0
    losses: list[float] = field(default_factory=list)


class TrainingRun:
    """Train to the end of a budget; a trainer says in ``_updates`` how, and in ``_made_with`` of what.

    Args:
        model: it trains on the device where it is.
        config: of this run.
    """

    is_first = True  # of several processes the one that writes files and shows progress

    def __init__(self, model: nn.Module, config: TrainingConfig) -> None:
        self.device = next(model.parameters()).device
        self.model, self.config, self.progress = model, config, Progress()

    def run(self, checkpoint: str | Path | None = None, every: int = 500, extra: dict | None = None) -> list[float]:
        """Train to the end of the budget.

        Args:
            checkpoint: where to write the state every so often and at the end; None writes nothing.
            every: updates between two checkpoints.
            extra: what else belongs into the file (vocabularies, the model's settings).

        Returns:
            The loss of every update, in nats a token, those before a resumption included.
        """

        def save() -> None:
            if checkpoint:
                state = self.state_dict()
                if self.is_first:
                    save_checkpoint(checkpoint, {**(extra or {}), **state})

        progress, by_steps = self.progress, self.config.num_steps is not None
        total = self.config.num_steps if by_steps else self.config.cpu_seconds
        started = time.process_time() - progress.seconds
        bar = tqdm(
            total=total,
            unit="steps" if by_steps else " CPU s",
            desc="training",
            disable=None if self.is_first else True,
            bar_format=None if by_steps else "{desc}: {percentage:3.0f}%|{bar}| {n:.0f}/{total:.0f} CPU s{postfix}",
        )
        self.model.train()
        with bar, without_subnormals():
            for loss in self._updates():
                progress.step += 1
                progress.losses.append(loss)
                progress.seconds = time.process_time() - started
                bar.set_postfix(loss=f"{loss:.3f}", refresh=False)
                bar.update((progress.step if by_steps else min(progress.seconds, total)) - bar.n)
                if progress.step % every == 0:
                    save()
        save()
        return progress.losses

    @property
    def fraction(self) -> float:
        """The share of the run that is over, 0 to 1."""
        if self.config.num_steps is not None:
            return min(1.0, self.progress.step / self.config.num_steps)
        return min(1.0, self.progress.seconds / self.config.cpu_seconds)

    def state_dict(self) -> dict:
        """Return what is needed to go on: weights and progress, and what the run is made with."""
        return {
            "model": self.model.state_dict(),
            "config": self.config.to_dict(),
            "progress": asdict(self.progress),
            "made_with": self._made_with(),
        }

    def _updates(self) -> Iterator[float]:
        """Make one update after the other, up to the end of the budget, and give the loss of each."""
        raise NotImplementedError

    def _made_with(self) -> dict[str, Any]:
        """Say what has to be the same when the run goes on."""
        raise NotImplementedError

    def _go_on_from(self, state: dict) -> None:
        """Take over weights and progress, or raise ``ValueError`` if they are of another run."""
        refuse_another_run(state, self._made_with())
        self.model.load_state_dict(state["model"])
        self.progress = Progress(**state["progress"])
