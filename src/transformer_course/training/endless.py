"""Train on batches that are drawn anew each time, for so many updates or so many CPU seconds."""

import time
from collections.abc import Callable

import torch
from torch import Tensor, nn
from tqdm import tqdm

from transformer_course.common.subnormals import without_subnormals

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
    if (num_steps is None) == (cpu_seconds is None):
        raise ValueError("num_steps: expected this or cpu_seconds, and not both")
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, betas=(0.9, 0.98), weight_decay=weight_decay, fused=True)
    losses: list[float] = []
    started, total = time.process_time(), num_steps or cpu_seconds
    bar = tqdm(total=total, desc="training", disable=None, bar_format="{desc}: {percentage:3.0f}%|{bar}|{postfix}")
    model.train()
    with bar, without_subnormals():
        while True:
            done = len(losses) if num_steps is not None else time.process_time() - started
            if done >= total:
                break
            share = done / total
            for group in optimizer.param_groups:
                group["lr"] = rate * min(1.0, (share + 1e-3) / WARMUP) * (1 - share)
            loss = loss_of_batch()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), MAX_GRAD_NORM)
            optimizer.step()
            losses.append(loss.item())
            bar.set_postfix(loss=f"{losses[-1]:.3f}", refresh=False)
            bar.update(done - bar.n)
            if after is not None:
                paused = time.process_time()
                after(len(losses))
                started += time.process_time() - paused
    model.eval()
    return losses
