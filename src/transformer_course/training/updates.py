"""The loop of a training: draw a batch, compute its loss, follow the gradient, again."""

import time
from collections.abc import Callable

from torch import Tensor, nn
from torch.optim import Optimizer


def make_updates(
    optimizer: Optimizer,
    loss_of_batch: Callable[[], Tensor],
    num_steps: int | None = None,
    cpu_seconds: float | None = None,
    rate_at: Callable[[float], float] | None = None,
    max_grad_norm: float | None = None,
    after: Callable[[int, float], None] | None = None,
) -> list[float]:
    """Update what an optimizer holds, for so many steps or so many seconds of the processor.

    Args:
        optimizer: holds what is trained.
        loss_of_batch: draws a batch and returns the loss on it, a scalar with a gradient.
        num_steps: updates to make; or
        cpu_seconds: how long to go on, in seconds of the processor.
        rate_at: the learning rate, from what is done of the budget, in updates (0 before the first one) or seconds;
            None leaves it as it is.
        max_grad_norm: a gradient longer than this, all parameters taken together, is shortened to it.
        after: called after each update with its number, from 1, and its loss, for somebody who watches; its time does
            not count.

    Returns:
        The loss before each update.

    Raises:
        ValueError: unless exactly one of num_steps and cpu_seconds is given.
    """
    if (num_steps is None) == (cpu_seconds is None):
        raise ValueError("num_steps: expected this or cpu_seconds, and not both")
    losses: list[float] = []
    started = time.process_time()
    while True:
        done = len(losses) if cpu_seconds is None else time.process_time() - started
        if done >= (num_steps if cpu_seconds is None else cpu_seconds):
            return losses
        if rate_at is not None:
            for group in optimizer.param_groups:
                group["lr"] = rate_at(done)
        loss = loss_of_batch()
        optimizer.zero_grad()
        loss.backward()
        if max_grad_norm is not None:
            held = [parameter for group in optimizer.param_groups for parameter in group["params"]]
            nn.utils.clip_grad_norm_(held, max_grad_norm)
        optimizer.step()
        losses.append(loss.item())
        if after is not None:
            paused = time.process_time()
            after(len(losses), losses[-1])
            started += time.process_time() - paused
