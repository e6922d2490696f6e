"""Looks at an index when its turn has come."""

import torch

SAYS = "inside the loop that measures"


def head_importance(heads, evaluate):
    complete = evaluate()
    drops = []
    for attention, index in heads:
        if not 0 <= index < attention.num_heads:
            raise ValueError(f"heads: expected an index below {attention.num_heads}, got {index}")
        weight = attention.w_output.weight
        original = weight.detach().clone()
        try:
            with torch.no_grad():
                weight[:, index * attention.d_k : (index + 1) * attention.d_k] = 0.0
            drops.append(complete - evaluate())
        finally:
            with torch.no_grad():
                weight.copy_(original)
    return drops
