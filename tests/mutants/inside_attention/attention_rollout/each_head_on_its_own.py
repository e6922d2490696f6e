"""Follows every head on its own, and averages at the end."""

import torch

SAYS = "each head is followed"


def attention_rollout(weights):
    if weights.dim() != 4 or not weights.is_floating_point() or weights.shape[2] != weights.shape[3]:
        raise ValueError("weights")
    identity = torch.eye(weights.shape[-1], dtype=weights.dtype)
    total = 0
    for head in range(weights.shape[1]):
        rollout = identity
        for layer in weights[:, head]:
            mixed = layer + identity
            rollout = mixed / mixed.sum(dim=-1, keepdim=True) @ rollout
        total = total + rollout
    return total / weights.shape[1]
