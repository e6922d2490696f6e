"""What is right, by torch's own functions: the oracle of the checks that have to do with attention."""

import math

import torch
from torch import Tensor, einsum, func
from torch.nn import functional as F


def right_softmax(scores: Tensor) -> Tensor:
    """Compute softmax over the last dimension with torch; a row of -inf gives zeros, with a finite gradient."""
    empty = (scores == -math.inf).all(-1, keepdim=True)
    return F.softmax(scores.masked_fill(empty, 0.0), -1).masked_fill(empty, 0.0)


def right_scores(query: Tensor, key: Tensor) -> Tensor:
    """Compute the scaled scores."""
    return einsum("...md,...nd->...mn", query, key) / query.shape[-1] ** 0.5


def right_weights(query: Tensor, key: Tensor, mask: Tensor | None = None) -> Tensor:
    """Compute the weights with torch's softmax."""
    scores = right_scores(query, key)
    return right_softmax(scores if mask is None else scores.masked_fill(~mask, -math.inf))


def right_output(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> Tensor:
    """Compute the output with torch's attention; a query that may attend to nothing gets zeros."""
    if mask is None:
        return F.scaled_dot_product_attention(query, key, value)
    mask = mask.expand(right_scores(query, key).shape)
    empty = ~mask.any(-1, keepdim=True)
    return F.scaled_dot_product_attention(query, key, value, attn_mask=mask | empty).masked_fill(empty, 0.0)


def right_pair(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """Compute output and weights."""
    return right_output(query, key, value, mask), right_weights(query, key, mask)


def right_jacobian(scores: Tensor, scale: float = 1.0) -> Tensor:
    """Differentiate softmax(scores / scale) with torch, row by row: ``(..., n, n)``."""
    rows = scores.reshape(-1, scores.shape[-1])
    return func.vmap(func.jacrev(lambda row: right_softmax(row / scale)))(rows).reshape(*scores.shape, scores.shape[-1])


def right_vjp(weights: Tensor, grad_weights: Tensor) -> Tensor:
    """Carry a gradient backward through softmax with torch's own kernel."""
    return torch._softmax_backward_data(grad_weights, weights, -1, weights.dtype)


def right_attention_backward(
    query: Tensor, key: Tensor, value: Tensor, grad_output: Tensor, scale: float
) -> tuple[Tensor, Tensor, Tensor]:
    """Let autograd carry a gradient backward through attention; the result can be differentiated again."""
    wanted = any(x.requires_grad for x in (query, key, value, grad_output))
    with torch.enable_grad():
        leaves = [x if x.requires_grad else x.detach().requires_grad_() for x in (query, key, value)]
        scores = einsum("...md,...nd->...mn", leaves[0], leaves[1]) / scale
        gradients = torch.autograd.grad(F.softmax(scores, -1) @ leaves[2], leaves, grad_output, create_graph=wanted)
    return tuple(gradients)
