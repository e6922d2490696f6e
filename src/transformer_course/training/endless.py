"""Train on batches that are drawn anew each time, for so many updates or so many CPU seconds."""

from collections.abc import Callable

import torch
from torch import Tensor, nn
from tqdm import tqdm

from transformer_course.common.subnormals import without_subnormals
from transformer_course.training.updates import make_updates

WARMUP, MAX_GRAD_NORM = 0.05, 1.0


def train_endlessly(
    model: nn.Module,
    loss_of_batch: Callable[[], Tensor],
    rate: float,
    num_steps: int | None = None,
    cpu_seconds: float | None = None,
    weight_decay: float = 0.01,
    after: Callable[[int], None] | None = None,
) -> list[float]:
    """Train a model with AdamW; the rate rises during the first twentieth of the run, then falls in a line to 0.

    Source: Loshchilov & Hutter (2019), "Decoupled Weight Decay Regularization", algorithm 2.

    Args:
        model: is left in evaluation mode.
        loss_of_batch: draws a batch and returns the model's loss on it, a scalar with a gradient.
        rate: the highest learning rate.
        num_steps: updates to make; or
        cpu_seconds: how long to go on, in seconds of the processor.
        weight_decay: what an update takes off the weights, as a share of rate times weight.
        after: called after each update with its number, from 1, for somebody who watches; its time does not count.

    Returns:
        The loss before each update.

    Raises:
        ValueError: unless exactly one of num_steps and cpu_seconds is given.
    """
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, betas=(0.9, 0.98), weight_decay=weight_decay, fused=True)
    total = num_steps or cpu_seconds
    bar = tqdm(total=total, desc="training", disable=None, bar_format="{desc}: {percentage:3.0f}%|{bar}|{postfix}")

    def rate_at(done: float) -> float:
        bar.update(done - bar.n)
        share = done / total
        return rate * min(1.0, (share + 1e-3) / WARMUP) * (1 - share)

    def watch(number: int, loss: float) -> None:
        bar.set_postfix(loss=f"{loss:.3f}", refresh=False)
        if after is not None:
            after(number)

    model.train()
    with bar, without_subnormals():
        losses = make_updates(optimizer, loss_of_batch, num_steps, cpu_seconds, rate_at, MAX_GRAD_NORM, watch)
        bar.update(total - bar.n)
    model.eval()
    return losses
