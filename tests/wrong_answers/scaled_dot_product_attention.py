"""Wrong answers, written otherwise than those that the checks hold: exercise 04."""

import math

import torch
from torch.nn import functional as F


def softmax__all_at_once(scores):
    """the sum runs over all elements"""
    powers = torch.exp(scores - (scores.max() if scores.numel() and scores.max() > -math.inf else 0))
    return powers.div(powers.sum())


def softmax__columns(scores):
    """the sum runs over dim -2 | the sum runs over the first dimension"""
    powers = torch.stack([torch.exp(row) for row in scores.unbind(0)])
    return powers / torch.einsum("i...->...", powers)


def attention_weights__einsum(query, key):
    """the scores are not divided by sqrt(d_k)"""
    return F.softmax(torch.einsum("...md,...nd->...mn", query, key), dim=-1)


def attention_weights__scaled_queries(query, key):
    """the scores are divided by d_k, not by sqrt(d_k)"""
    shrunk = query / query.size(-1)
    return F.softmax(torch.matmul(shrunk, key.mT), -1)


def scaled_dot_product_attention__by_row(query, key, value, mask=None):
    """the mask is applied after softmax"""
    weights = torch.stack(
        [torch.softmax((row.unsqueeze(-2) * key).sum(-1) * key.shape[-1] ** -0.5, -1) for row in query.unbind(-2)], -2
    )
    if mask is not None:
        weights = torch.where(mask, weights, torch.zeros((), dtype=weights.dtype))
    return torch.einsum("...mn,...nv->...mv", weights, value), weights


def scaled_dot_product_attention__torchs_with_its_complement(query, key, value, mask=None):
    """the wrong way round"""
    scores = torch.einsum("...md,...nd->...mn", query, key).div(query.shape[-1] ** 0.5)
    if mask is not None:
        scores = scores + torch.zeros_like(scores).masked_fill_(mask, float("-inf"))
    weights = scores.softmax(-1).nan_to_num(0.0)
    return weights.matmul(value), weights


def mean_largest_weight__by_key(d_k, divisor):
    """the mean over the queries comes first and the largest afterwards"""
    scores = torch.einsum("nd,nkd->nk", torch.randn(1000, d_k), torch.randn(1000, 16, d_k)) / divisor
    return max(column.mean().item() for column in torch.softmax(scores, 1).unbind(1))


def mean_largest_weight__few_keys(d_k, divisor):
    """all queries meet the same 16 keys"""
    products = torch.einsum("nd,kd->nk", torch.randn(1000, d_k), torch.randn(16, d_k))
    return (products / divisor).softmax(1).max(1).values.mean().item()


def mean_largest_weight__all_pairs(d_k, divisor):
    """compares each query with the keys of all 1000"""
    products = torch.tensordot(torch.randn(1000, d_k), torch.randn(1000, 16, d_k), dims=([1], [2]))
    return (products / divisor).softmax(-1).amax(-1).mean().item()


def softmax__from_the_lowest(scores):
    """the minimum of each row is subtracted"""
    finite = torch.where(scores.isinf(), torch.zeros_like(scores), scores)
    powers = (scores - finite.min(-1, keepdim=True).values).exp()
    total = powers.sum(-1, keepdim=True)
    return powers / total.where(total > 0, torch.ones_like(total))


def attention_in_blocks__full_blocks(query, key, value, block_size):
    """the last block is left out"""
    keys = max(block_size, key.shape[-2] - key.shape[-2] % block_size)
    scores = torch.einsum("...md,...nd->...mn", query, key[..., :keys, :]) / query.shape[-1] ** 0.5
    return torch.softmax(scores, -1) @ value[..., :keys, :]
