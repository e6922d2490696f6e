"""What is right, by torch's own functions: the oracle of the checks that have to do with attention."""

import math

from torch import Tensor, einsum
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
