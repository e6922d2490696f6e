"""Does not reach the way back after an error."""

import torch

SAYS = "not reached"


def head_importance(heads, evaluate):
    for attention, index in heads:
        if not 0 <= index < attention.num_heads:
            raise ValueError(f"heads: expected an index below {attention.num_heads}, got {index}")
    complete = evaluate()
    drops = []
    for attention, index in heads:
        weight = attention.w_output.weight
        original = weight.detach().clone()
        with torch.no_grad():
            weight[:, index * attention.d_k : (index + 1) * attention.d_k] = 0.0
        drops.append(complete - evaluate())
        with torch.no_grad():
            weight.copy_(original)
    return drops
