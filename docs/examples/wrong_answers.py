"""Wrong answers whose cause the checks do not name, or name wrongly; docs/first_tasks.md says which is which."""

import math

import torch


def window_of_four(length):
    return torch.ones(length, length, dtype=torch.bool).tril().triu(-3)


def powers_of_ten(scores):
    powers = 10.0 ** (scores - scores.amax(-1, keepdim=True))
    return powers / powers.sum(-1, keepdim=True)


def largest_only(scores):
    return torch.nn.functional.one_hot(scores.argmax(-1), scores.shape[-1]).to(scores.dtype)


def mean_of_sizes(x, weight, eps=1e-6):
    return x / (x.abs().mean(-1, keepdim=True) + eps) * weight


def sigmoid_gate(x, w_gate, w_up, w_down):
    return (torch.sigmoid(x @ w_gate.T) * (x @ w_up.T)) @ w_down.T


def rounded_to_bfloat16(query, key, value, mask=None):
    scores = (query.bfloat16() @ key.transpose(-2, -1).bfloat16()).to(query.dtype) / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.nan_to_num(torch.softmax(scores, -1))
    return weights @ value, weights
