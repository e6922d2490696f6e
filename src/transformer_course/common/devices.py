"""The only place that asks which device there is."""

import torch


def best_device() -> torch.device:
    """Choose the fastest device of this machine: CUDA, else Apple's MPS, else the CPU.

    Chapters and scripts call it; the library never does, because every function works on the device of its inputs.
    """
    if torch.cuda.is_available():
        return torch.device("cuda")
    if torch.backends.mps.is_available():
        return torch.device("mps")
    return torch.device("cpu")
