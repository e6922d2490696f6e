"""Chapter 04: scaled dot-product attention.

Compare each query with each key (``attention_scores``), turn the scores of a query into weights (``softmax``, and both
steps in ``attention_weights``), average the values with them (``scaled_dot_product_attention``).

Source: Vaswani et al. (2017), "Attention Is All You Need", section 3.2.1.

Dimension names: ``...`` any leading dimensions (batch, heads), ``query_length`` m, ``key_length`` n, ``d_k`` the
width of queries and keys, ``d_v`` the width of values.
"""

import math

from torch import Tensor

from transformer_course.common.validation import (
    require_dimensions,
    require_floating,
    require_key,
    require_mask,
    require_value,
)


def softmax(scores: Tensor) -> Tensor:
    """Turn each row of scores into weights that are not negative and sum to 1.

    Source: Goodfellow et al. (2016), "Deep Learning", section 4.1 (the subtraction of the maximum).

    Args:
        scores: ``(..., n)``, floating. ``-inf`` means "never"; ``+inf`` gives NaN.

    Returns:
        The weights ``(..., n)``, in the dtype of the scores. A row that holds nothing but ``-inf`` gives zeros.

    >>> import torch
    >>> softmax(torch.tensor([10_000.0, 10_000.0, -math.inf]))
    tensor([0.5000, 0.5000, 0.0000])
    """
    require_floating("scores", scores)
    require_dimensions("scores", scores, at_least=1)
    if scores.shape[-1] == 0:  # which has no maximum
        return scores.clone()
    # Adding a constant to a row does not change its softmax, so the maximum needs no gradient of its own.
    highest = scores.detach().amax(dim=-1, keepdim=True)  # (..., 1)
    # -inf - -inf is NaN: a row without any finite score is shifted by 0 instead.
    highest = highest.masked_fill(highest == -math.inf, 0.0)
    exponentials = (scores - highest).exp()
    total = exponentials.sum(dim=-1, keepdim=True)  # (..., 1)
    return exponentials / total.masked_fill(total == 0, 1.0)


def attention_scores(query: Tensor, key: Tensor) -> Tensor:
    """Compare every query with every key: dot products, divided by sqrt(d_k).

    Source: Vaswani et al. (2017), section 3.2.1, the argument of softmax in equation 1.

    Args:
        query: ``(..., query_length, d_k)``.
        key: ``(..., key_length, d_k)``.

    Returns:
        The scores ``(..., query_length, key_length)``.
    """
    require_key(key, query)
    return query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])  # (..., query_length, key_length)


def attention_weights(query: Tensor, key: Tensor) -> Tensor:
    """Say, for every query, what share of its attention each key gets.

    Source: Vaswani et al. (2017), section 3.2.1, the softmax of equation 1.

    Args:
        query: ``(..., query_length, d_k)``.
        key: ``(..., key_length, d_k)``.

    Returns:
        The weights ``(..., query_length, key_length)``; each row sums to 1, if there is a key at all.
    """
    return softmax(attention_scores(query, key))


def scaled_dot_product_attention(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Average the values, weighted by how well each key answers each query.

    Source: Vaswani et al. (2017), section 3.2.1, equation 1.

    Args:
        query: ``(..., query_length, d_k)``.
        key: ``(..., key_length, d_k)``.
        value: ``(..., key_length, d_v)``.
        mask: bool, broadcastable to ``(..., query_length, key_length)``; True = may be attended to.

    Returns:
        The output ``(..., query_length, d_v)`` and the weights ``(..., query_length, key_length)``. A query that may
        attend to nothing gets zeros in both.
    """
    scores = attention_scores(query, key)  # (..., query_length, key_length)
    require_value(value, key, query)
    if mask is not None:
        require_mask(mask, scores.shape)
        scores = scores.masked_fill(~mask, -math.inf)  # chapter 06 makes this and the next line one function
    weights = softmax(scores)
    return weights @ value, weights  # (..., query_length, d_v)
