"""Puts everything back after the last head."""

import torch

SAYS = "heads stay silent"


def head_importance(heads, evaluate):
    for attention, index in heads:
        if not 0 <= index < attention.num_heads:
            raise ValueError(f"heads: expected an index below {attention.num_heads}, got {index}")
    originals = [attention.w_output.weight.detach().clone() for attention, _ in heads]
    complete = evaluate()
    drops = []
    try:
        for attention, index in heads:
            with torch.no_grad():
                attention.w_output.weight[:, index * attention.d_k : (index + 1) * attention.d_k] = 0.0
            drops.append(complete - evaluate())
    finally:
        with torch.no_grad():
            for (attention, _), original in zip(heads, originals, strict=True):
                attention.w_output.weight.copy_(original)
    return drops
