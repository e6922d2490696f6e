"""Several processes, one model: what `torchrun` sets up and what a process has to know about it.

Source: Li et al. (2020), "PyTorch Distributed: Experiences on Accelerating Data Parallel Training".
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch import distributed as dist
from torch.nn.parallel import DistributedDataParallel

from transformer_course.common.devices import best_device


@dataclass(frozen=True)
class Process:
    """Which of the processes that train together this one is.

    Args:
        rank: the number of this process, from 0.
        world_size: how many processes train together.
        device: where this process computes.
    """

    rank: int
    world_size: int
    device: torch.device

    @property
    def is_first(self) -> bool:
        """Whether this process writes files and shows progress."""
        return self.rank == 0


@contextmanager
def join_process_group(device: torch.device | None = None) -> Iterator[Process]:
    """Join the processes that `torchrun` started; without `torchrun` this process is alone.

    Args:
        device: where to compute; None chooses the best, one GPU for each process of a machine.

    Yields:
        What this process is in the group, until the block ends.
    """
    world_size = int(os.environ.get("WORLD_SIZE", "1"))
    device = device or best_device()
    if world_size == 1:
        yield Process(rank=0, world_size=1, device=device)
        return
    if device.type == "cuda":
        device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
        torch.cuda.set_device(device)
    dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
    try:
        yield Process(rank=dist.get_rank(), world_size=world_size, device=device)
    finally:
        dist.destroy_process_group()


def share_gradients(model: nn.Module, process: Process) -> nn.Module:
    """Wrap the model so that a backward pass averages the gradients of all processes.

    Args:
        model: on the device of this process.
        process: of `join_process_group`.

    Returns:
        The wrapped model; the model as it is where a process is alone.
    """
    if process.world_size == 1:
        return model
    return DistributedDataParallel(model, device_ids=[process.device.index] if process.device.type == "cuda" else None)


def gather_random_states(process: Process) -> list[Tensor]:
    """Collect the state of the CPU's random numbers of every process; all of them have to call this together.

    Args:
        process: of `join_process_group`.

    Returns:
        One state for each process, by rank, for ``torch.set_rng_state``.
    """
    states = [torch.get_rng_state()] * process.world_size
    if process.world_size > 1:
        dist.all_gather_object(states, torch.get_rng_state())
    return states
