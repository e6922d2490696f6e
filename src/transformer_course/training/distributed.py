"""Several processes, one model: what `torchrun` sets up and what a process has to know about it.

Source: Li et al. (2020), "PyTorch Distributed: Experiences on Accelerating Data Parallel Training".
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from torch import distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from transformer_course.common.devices import best_device


@dataclass(frozen=True)
class World:
    """Which process this is.

    Args:
        rank: the number of this process, from 0.
        size: how many processes train together.
        device: where this process computes.
    """

    rank: int
    size: int
    device: torch.device

    @property
    def is_first(self) -> bool:
        """Whether this process writes files and shows progress."""
        return self.rank == 0


@contextmanager
def join_world(device: torch.device | None = None) -> Iterator[World]:
    """Join the processes that `torchrun` started; without `torchrun` this process is alone.

    Args:
        device: where to compute; None chooses the best, one GPU for each process of a machine.

    Yields:
        The world, until the block ends.
    """
    size = int(os.environ.get("WORLD_SIZE", "1"))
    device = device or best_device()
    if size == 1:
        yield World(rank=0, size=1, device=device)
        return
    if device.type == "cuda":
        device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
        torch.cuda.set_device(device)
    dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
    try:
        yield World(rank=dist.get_rank(), size=size, device=device)
    finally:
        dist.destroy_process_group()


def share_gradients(model: nn.Module, world: World) -> nn.Module:
    """Wrap the model so that a backward pass averages the gradients of all processes.

    Args:
        model: on the device of this world.
        world: of `join_world`.

    Returns:
        The wrapped model; the model itself in a world of one.
    """
    if world.size == 1:
        return model
    return DistributedDataParallel(model, device_ids=[world.device.index] if world.device.type == "cuda" else None)
