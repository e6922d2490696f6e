"""Makes all layers at once, and multiplies them from last to first."""

import torch


def attention_rollout(weights):
    if weights.dim() != 4 or not weights.is_floating_point():
        raise ValueError(f"weights: expected floating, four dimensions, got {weights.dtype}, {weights.shape}")
    if weights.shape[1] == 0 or weights.shape[2] != weights.shape[3]:
        raise ValueError(f"weights: expected heads and square maps, got {weights.shape}")
    identity = torch.eye(weights.shape[-1]).to(weights)
    mixed = weights.mean(1) + identity
    mixed = mixed / mixed.sum(-1, keepdim=True)
    matrices = [identity, *mixed]
    return torch.linalg.multi_dot(matrices[::-1]) if len(matrices) > 1 else identity
