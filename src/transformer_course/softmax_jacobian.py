"""Chapter 05: the Jacobian of softmax, and why scores are divided by sqrt(d_k).

Dot products of d_k independent entries of mean 0 and variance 1 have variance d_k (``dot_product_variance``). In
wide heads with few keys, scores lie so far apart that a typical query gives nearly all the weight to one key. Its
weights p are then nearly 0 or 1, the Jacobian ``diag(p) - p^T p`` is nearly 0 (``softmax_jacobian``), and hardly any
gradient comes back to this query (``attention_backward``); the few undecided queries get all the more. Divided by
sqrt(d_k), the scores begin with variance 1, whatever d_k is.

Source: Vaswani et al. (2017), "Attention Is All You Need", section 3.2.1 and its footnote 4.

Dimension names: ``...`` any leading dimensions, ``n`` the entries of a row of scores, ``query_length`` m,
``key_length`` n, ``d_k`` the width of queries and keys, ``d_v`` the width of values. ``scale`` is what the scores are
divided by: 1 for none, sqrt(d_k) for the Transformer's.
"""

import torch
from torch import Tensor, broadcast_shapes

from transformer_course.common.validation import (
    require_at_least_two,
    require_dimensions,
    require_floating,
    require_key,
    require_like,
    require_positive,
    require_same_dtype,
    require_scale,
    require_shape,
    require_value,
)
from transformer_course.scaled_dot_product_attention import softmax


def softmax_jacobian(scores: Tensor, scale: float = 1.0) -> Tensor:
    """Write out how every weight answers to every score: the derivative of softmax(scores / scale).

    Source: Bishop (2006), "Pattern Recognition and Machine Learning", equation 4.106; 1 / scale is the chain rule.

    Args:
        scores: ``(..., n)``, floating, before the division by scale. ``-inf`` means "never".
        scale: a positive number.

    Returns:
        The matrices ``(..., n, n)``, ``(diag(p) - p^T p) / scale`` for a row of weights p (for a column, as most
        texts have it, ``p p^T``); entry (i, j) is the derivative of weight i with respect to score j. Each row and each
        column sums to 0.

    >>> softmax_jacobian(torch.tensor([0.0, 0.0]))
    tensor([[ 0.2500, -0.2500],
            [-0.2500,  0.2500]])
    """
    require_floating("scores", scores)
    require_scale(scale)
    weights = softmax(scores / scale)
    products = weights.unsqueeze(-1) * weights.unsqueeze(-2)  # (..., n, n)
    return (torch.diag_embed(weights) - products) / scale


def softmax_vjp(weights: Tensor, grad_weights: Tensor) -> Tensor:
    """Carry a gradient backward through softmax: grad_weights times the Jacobian, without forming it.

    The Jacobian of a row costs n * n numbers and this product n, because ``g (diag(p) - p^T p)`` is
    ``p * (g - g . p)``.

    Source: Dao et al. (2022), "FlashAttention", appendix B.2.

    Args:
        weights: ``(..., n)``, floating, what softmax returned.
        grad_weights: ``(..., n)``, the gradient of a scalar with respect to weights.

    Returns:
        The gradient ``(..., n)`` of that scalar with respect to the argument of softmax. Each row sums to 0.

    >>> softmax_vjp(torch.tensor([0.5, 0.5]), torch.tensor([1.0, 0.0]))
    tensor([ 0.2500, -0.2500])
    """
    require_dimensions("weights", weights, at_least=1)
    require_floating("weights", weights)
    require_like("grad_weights", grad_weights, "weights", weights)
    average = (grad_weights * weights).sum(dim=-1, keepdim=True)  # (..., 1)
    return weights * (grad_weights - average)


def dot_product_variance(d_k: int, num_samples: int = 10_000, generator: torch.Generator | None = None) -> float:
    """Measure how far dot products of random queries and keys spread: their variance.

    Source: Vaswani et al. (2017), footnote 4 (with independent entries of mean 0 and variance 1 it is d_k).

    Args:
        d_k: entries of a query and of a key, each drawn from the standard normal distribution.
        num_samples: how many pairs to draw; the relative error is about ``sqrt((2 + 6 / d_k) / num_samples)``.
        generator: where to draw from, and on which device; ``None`` means torch's global one.

    Returns:
        The empirical variance, divided by ``num_samples - 1``.

    >>> round(dot_product_variance(64, generator=torch.Generator().manual_seed(0)))
    64
    """
    require_positive("d_k", d_k)
    require_at_least_two("num_samples", num_samples)
    device = None if generator is None else generator.device
    query = torch.randn(num_samples, d_k, generator=generator, device=device)
    key = torch.randn(num_samples, d_k, generator=generator, device=device)
    return (query * key).sum(dim=-1).var().item()


def attention_backward(
    query: Tensor, key: Tensor, value: Tensor, grad_output: Tensor, scale: float
) -> tuple[Tensor, Tensor, Tensor]:
    """Carry a gradient backward through ``softmax(query key^T / scale) value``, by hand; without a mask.

    Source: Dao et al. (2022), "FlashAttention", appendix B.2, with the scale written out.

    Args:
        query: ``(..., query_length, d_k)``, floating.
        key: ``(..., key_length, d_k)``.
        value: ``(..., key_length, d_v)``.
        grad_output: ``(..., query_length, d_v)``, the gradient of a scalar with respect to the attention's output.
        scale: a positive number; the Transformer's is sqrt(d_k).

    Returns:
        The gradients with respect to query, key and value, each in the shape of its tensor. Where the leading
        dimensions of a tensor were broadcast, its gradient is the sum over all its uses.
    """
    require_key(key, query)
    require_value(value, key, query)
    leading = broadcast_shapes(query.shape[:-2], key.shape[:-2], value.shape[:-2])
    require_shape("grad_output", grad_output, (*leading, query.shape[-2], value.shape[-1]))
    require_same_dtype("grad_output", grad_output, "query", query)
    require_scale(scale)
    # Forward, for the weights: scores = query key^T / scale, weights = softmax(scores), output = weights value.
    weights = softmax(query @ key.transpose(-2, -1) / scale)  # (..., query_length, key_length)
    # Backward, in the opposite order. The rule for every product C = A B: grad_A = grad_C B^T, grad_B = A^T grad_C.
    grad_value = weights.transpose(-2, -1) @ grad_output  # (..., key_length, d_v)
    grad_weights = grad_output @ value.transpose(-2, -1)  # (..., query_length, key_length)
    grad_scores = softmax_vjp(weights.expand_as(grad_weights), grad_weights)  # value may have more leading ones
    grad_query = grad_scores @ key / scale  # (..., query_length, d_k)
    grad_key = grad_scores.transpose(-2, -1) @ query / scale  # (..., key_length, d_k)
    return grad_query.sum_to_size(query.shape), grad_key.sum_to_size(key.shape), grad_value.sum_to_size(value.shape)
