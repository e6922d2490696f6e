"""Zeroes the queries of the head."""

import torch

SAYS = "do not silence it"


def head_importance(heads, evaluate):
    complete = evaluate()
    drops = []
    for attention, index in heads:
        rows = slice(index * attention.d_k, (index + 1) * attention.d_k)
        weight, bias = attention.w_query.weight, attention.w_query.bias
        before = weight.detach().clone(), bias.detach().clone()
        with torch.no_grad():
            weight[rows], bias[rows] = 0.0, 0.0
        drops.append(complete - evaluate())
        with torch.no_grad():
            weight.copy_(before[0])
            bias.copy_(before[1])
    return drops
