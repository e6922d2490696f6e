"""Wrong answers, written otherwise than those that the checks hold: exercise 05."""

import torch


def softmax_jacobian__only_the_diagonal(scores, scale=1.0):
    """its own score only"""
    p = torch.softmax(scores / scale, -1)
    eye = torch.eye(p.shape[-1], dtype=p.dtype)
    return torch.einsum("...i,ij->...ij", (p - p.square()) / scale, eye)


def softmax_vjp__plain_mean(weights, grad_weights):
    """the plain mean of the gradient"""
    centred = torch.sub(grad_weights, grad_weights.mean(-1, True))
    return torch.mul(centred, weights)


def dot_product_variance__spread(d_k, num_samples=10_000, generator=None):
    """the standard deviation"""
    pair = torch.randn(2, num_samples, d_k, generator=generator)
    return float(torch.std(torch.linalg.vecdot(pair[0], pair[1])))


def measure_jacobians__undivided(n, d_k, divisor, num_samples=300):
    """softmax gets the dot products undivided"""
    query, key = torch.randn(num_samples, d_k), torch.randn(num_samples, n, d_k)
    p = torch.softmax(torch.einsum("sd,snd->sn", query, key), 1)
    of_query = torch.einsum("si,sid->sid", p, key - torch.einsum("sj,sjd->sd", p, key)[:, None]) / divisor
    return of_query.square().sum((1, 2)).sqrt(), p.max(1).values


def attention_backward__no_softmax(query, key, value, grad_output, scale):
    """the step back through softmax is left out"""
    p = torch.einsum("...md,...nd->...mn", query, key).div(scale).softmax(-1)
    s = torch.einsum("...mv,...nv->...mn", grad_output, value) / scale
    return s @ key, s.mT @ query, torch.einsum("...mn,...mv->...nv", p, grad_output)


def attention_backward__scale_forgotten(query, key, value, grad_output, scale):
    """the division by the scale is missing on the way back"""
    p = torch.softmax(torch.einsum("...md,...nd->...mn", query / scale, key), -1)
    g = torch.einsum("...mv,...nv->...mn", grad_output, value)
    s = torch.einsum("...mn,...mn->...mn", p, g - torch.einsum("...mn,...mn->...m", p, g).unsqueeze(-1))
    gradients = s @ key, s.mT @ query, p.mT @ grad_output
    return tuple(g.sum_to_size(x.shape) for g, x in zip(gradients, (query, key, value), strict=True))


def attention_backward__value_first(query, key, value, grad_output, scale):
    """in another order"""
    p = torch.softmax(query @ key.mT / scale, -1)
    g = grad_output @ value.mT
    s = p * (g - (g * p).sum(-1, keepdim=True)) / scale
    return p.mT @ grad_output, s @ key, s.mT @ query
