"""Chapter 06: six ways to write causal attention, A to F. One of them is right.

Each takes query ``(..., length, d_k)``, key ``(..., length, d_k)`` and value ``(..., length, d_v)`` and returns the
output ``(..., length, d_v)``.
"""

import math

import torch
from torch import Tensor

from transformer_course.masking import causal_mask, masked_softmax


def scores_of(query: Tensor, key: Tensor) -> Tensor:
    """Return the divided dot products ``(..., length, length)``."""
    return query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])


def weights_times_mask(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """A: the mask comes after softmax."""
    weights = torch.softmax(scores_of(query, key), dim=-1)
    return (weights * causal_mask(query.shape[-2])) @ value


def off_by_one(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """B: each position also sees the next one."""
    mask = torch.ones(query.shape[-2], query.shape[-2], dtype=torch.bool).tril(1)
    return masked_softmax(scores_of(query, key), mask) @ value


def right(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """C: hidden scores become -inf before softmax."""
    return masked_softmax(scores_of(query, key), causal_mask(query.shape[-2])) @ value


def softmax_over_queries(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """D: the mask is right, the dimension of softmax is not."""
    scores = scores_of(query, key).masked_fill(~causal_mask(query.shape[-2]), -math.inf)
    return torch.softmax(scores, dim=-2) @ value


def scores_times_mask(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """E: a hidden score becomes 0, whose exponential is 1."""
    return torch.softmax(scores_of(query, key) * causal_mask(query.shape[-2]), dim=-1) @ value


def upside_down(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """F: the triangle of the mask is the other one."""
    return masked_softmax(scores_of(query, key), causal_mask(query.shape[-2]).T) @ value


ATTENTIONS = {
    "A": weights_times_mask,
    "B": off_by_one,
    "C": right,
    "D": softmax_over_queries,
    "E": scores_times_mask,
    "F": upside_down,
}
