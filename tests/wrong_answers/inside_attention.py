"""Wrong answers, written otherwise than those that the checks hold: exercise 12."""

import torch


def attention_entropy__bits(weights):
    """bits, not nats"""
    return -torch.where(weights > 0, weights * torch.log2(weights.clamp(min=1e-300)), 0.0).sum(-1)


def attention_entropy__over_queries(weights):
    """the sum runs over the queries"""
    positive = weights > 0
    return torch.einsum("...mn,...mn->...n", weights, -torch.where(positive, weights, 1.0).log())
