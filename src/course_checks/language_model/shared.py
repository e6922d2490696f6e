"""What the tasks of exercise 13 share."""

import torch

UNIT = "language_model"


def frequencies(drawn: torch.Tensor, size: int) -> torch.Tensor:
    """Say how often each token was drawn, as a share of all."""
    return drawn.flatten().bincount(minlength=size) / max(drawn.numel(), 1)
