"""What several tasks of exercise 04 share: the right pieces, and the ways in which the weights go wrong."""

import math

import torch
from torch import Tensor
from torch.nn import functional as F

from course_checks.words import Wrong

UNIT = "scaled_dot_product_attention"
READY_MADE = ("scaled_dot_product", "multi_head_attention")

_ROOT = "compare the line with the formula: which size stands under the root?"
_KEYS = "each query shares out its attention among the keys: softmax over the last dimension"
_BEFORE = "set the hidden scores to -inf before softmax, so that their weights are 0 and the others sum to 1"
SHARP, FLAT = "the weights are more extreme than they should be", "the weights are flatter than they should be"

SCALE = {
    "none": Wrong("the scores are not divided by sqrt(d_k)", SHARP, _ROOT),
    "d_k": Wrong("the scores are divided by d_k, not by sqrt(d_k)", FLAT, _ROOT),
    "times": Wrong("the scores are multiplied by sqrt(d_k), not divided", SHARP, _ROOT),
    "fourth root": Wrong("the root is taken twice", SHARP, _ROOT),
    "d_k - 1": Wrong("another number than d_k stands under the root, such as d_k - 1", "", _ROOT),
    "keys": Wrong("the scores are divided by the root of the number of keys, not of d_k", "", _ROOT),
    "queries": Wrong("the scores are divided by the root of the number of queries, not of d_k", "", _ROOT),
    "batch": Wrong("the scores are divided by the root of the first dimension, the batch", "", _ROOT),
    "after": Wrong(
        "the division by sqrt(d_k) comes after softmax",
        "the rows sum to less than 1",
        "scale the scores first, then take softmax",
    ),
    "cosine": Wrong("query and key are normalised to length 1 (cosine) in the place of the division by sqrt(d_k)",
                    FLAT, _ROOT),
}  # fmt: skip
OVER = {
    "queries": Wrong(
        "softmax runs over the queries (dim -2), not over the keys (dim -1)",
        "not the rows but the columns sum to 1",
        _KEYS,
    ),
    "first": Wrong(
        "softmax runs over the first dimension (dim 0)", "the sums over the first dimension are 1", _KEYS
    ),
    "all": Wrong("softmax runs over all elements", "all numbers of the tensor together sum to 1", _KEYS),
    "nothing": Wrong(
        "softmax is missing",
        "the rows do not sum to 1, and some numbers are negative",
        "the scores are what goes into softmax, not what comes out of it",
    ),
    "sigmoid": Wrong(
        "sigmoid in the place of softmax", "each weight lies between 0 and 1, but the rows do not sum to 1",
        "sigmoid looks at each score alone; softmax compares the scores of a row",
    ),
    "exponential": Wrong("the exponentials are not divided by their sum", "the rows do not sum to 1", _KEYS),
    "logarithm": Wrong("the logarithm of the weights is returned", "every number is negative",
                       "take softmax, not log_softmax"),
    "twice": Wrong("softmax is applied twice", FLAT, "the weights need no second softmax"),
}  # fmt: skip
PRODUCT = {
    "exchanged": Wrong(
        "key times query in the place of query times key: rows belong to keys",
        "the result is that of query and key exchanged",
        "the query stands on the left of the matrix product, the transposed key on the right",
    ),
    "reshaped": Wrong(
        "`view` or `reshape` in the place of a transpose: it keeps the order of the numbers and mixes the keys",
        "the shape is right, the numbers are not those of q . k",
        "exchange the last two dimensions with `transpose(-2, -1)`",
    ),
    "not transposed": Wrong("the key is not transposed before the product", "",
                            "write down both shapes: which dimension do query and key share?"),
    ".T": Wrong("`.T` reverses all dimensions, also those of the batch", "",
                "exchange only the last two dimensions: `transpose(-2, -1)`"),
    "negative": Wrong("the sign of the scores is turned around", "the least similar key has the largest weight",
                      "a large product means a large weight"),
    "distance": Wrong("the scores are distances, not dot products", "", "the score is q . k"),
}  # fmt: skip
MASK = {
    "not used": Wrong("the mask is not used", "hidden keys still have a weight: that without a mask", _BEFORE),
    "inverted": Wrong(
        "the mask is used the wrong way round (inverted)",
        "exactly the keys that should be hidden have the weight",
        "True means `may be attended to`: fill the scores where the mask is False",
    ),
    "after": Wrong(
        "the mask is applied after softmax, so the other weights do not know of it",
        "hidden keys have weight 0, but the rows sum to less than 1",
        _BEFORE,
    ),
    "divided": Wrong(
        "softmax (or its maximum) takes the hidden scores in, and what the mask leaves is divided by its sum: a large "
        "hidden score leaves nothing to divide", "a row with visible keys has the sum 0", _BEFORE,
    ),
    "zero": Wrong("the hidden scores become 0 (multiplied by the mask, or filled with 0): e^0 is 1, not 0",
                  "hidden keys still have a weight", _BEFORE),
    "added": Wrong("the mask itself is added to the scores, as 0 and 1", "hidden keys still have a weight", _BEFORE),
    "added inverted": Wrong(
        "the inverted mask itself is added to the scores, as 0 and 1", "hidden keys still have a weight", _BEFORE
    ),
    "mask times -inf": Wrong(
        "`mask * -inf` or `~mask * -inf`: where the mask is 0, 0 times infinity is NaN", "numbers are NaN",
        "choose with `masked_fill`, do not multiply",
    ),
    "filled after": Wrong("-1e9 is filled in after softmax", "weights of -1e9", _BEFORE),
    "-inf after": Wrong("-inf is filled in after softmax", "weights of -inf", _BEFORE),
} | {
    fill: Wrong(f"the number that is filled in ({fill:g}) is not small enough to vanish in softmax",
                "hidden keys still have a weight", _BEFORE)
    for fill in (-1.0, -10.0)
}  # fmt: skip


def right_softmax(scores: Tensor) -> Tensor:
    """Take torch's softmax over the last dimension; a row of nothing but -inf gives zeros, and so does its gradient."""
    nothing = (scores == -math.inf).all(-1, keepdim=True) if scores.shape[-1] else scores
    return torch.softmax(scores.masked_fill(nothing, 0.0), -1).masked_fill(nothing, 0.0) if scores.numel() else scores


def right_scores(query: Tensor, key: Tensor) -> Tensor:
    """Compute q . k / sqrt(d_k) of every query and key, by a sum over d_k."""
    return torch.einsum("...md,...nd->...mn", query, key) / math.sqrt(query.shape[-1])


def right_pair(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """Compute output and weights."""
    scores = right_scores(query, key)
    weights = right_softmax(scores if mask is None else scores.masked_fill(~mask, -math.inf))
    return weights @ value, weights


def scores_with(query: Tensor, key: Tensor, scale: str = "sqrt(d_k)", product: str = "query key^T") -> Tensor:
    """Compute scores with one choice for the product and one for the scale."""
    if scale == "cosine":
        query, key = F.normalize(query, dim=-1), F.normalize(key, dim=-1)
    d_k, m, n = query.shape[-1], query.shape[-2], key.shape[-2]
    if product == "exchanged":
        products = key @ query.transpose(-2, -1)
    elif product == "reshaped":
        products = query @ key.reshape(*key.shape[:-2], d_k, n)
    elif product == "not transposed":
        products = query @ key
    elif product == ".T":
        products = query @ key.permute(*reversed(range(key.dim())))
    elif product == "distance":
        products = -torch.cdist(query, key)
    else:
        products = query @ key.transpose(-2, -1)
    roots = {"sqrt(d_k)": d_k, "keys": n, "queries": m, "d_k": d_k**2, "times": 1 / d_k, "fourth root": d_k**0.5}
    roots |= {"d_k - 1": max(d_k - 1, 1), "batch": query.shape[0]}
    scores = products / math.sqrt(roots.get(scale, 1))
    return -scores if product == "negative" else scores


def weights_of(scores: Tensor, over: str = "keys") -> Tensor:
    """Turn scores into weights with one choice for the softmax."""
    if over in ("queries", "first"):
        return torch.softmax(scores, -2 if over == "queries" else 0)
    if over == "all":
        return torch.softmax(scores.flatten(), 0).view_as(scores)
    if over == "twice":
        return torch.softmax(right_softmax(scores), -1)
    plain = {"nothing": lambda x: x, "sigmoid": torch.sigmoid, "exponential": torch.exp,
             "logarithm": lambda x: F.log_softmax(x, -1)}.get(over, right_softmax)  # fmt: skip
    return plain(scores)


def masked_weights(scores: Tensor, mask: Tensor | None, how: str | float = "filled", over: str = "keys") -> Tensor:
    """Turn scores into weights with one choice for the mask and one for the softmax."""
    if mask is None or how == "not used":
        return weights_of(scores, over)
    if isinstance(how, float):
        return weights_of(scores.masked_fill(~mask, how), over)
    changed = {
        "filled": lambda: scores.masked_fill(~mask, -math.inf),
        "inverted": lambda: scores.masked_fill(mask, -math.inf),
        "zero": lambda: scores * mask,
        "added": lambda: scores + mask,
        "added inverted": lambda: scores + ~mask,
        "mask times -inf": lambda: scores + ~mask * -math.inf,
    }.get(how)
    if changed is not None:
        return weights_of(changed(), over)
    weights = weights_of(scores, over)
    if how == "divided":
        total = (weights * mask).sum(-1, keepdim=True)
        return weights * mask / total.masked_fill(total == 0, 1.0)
    return (
        weights * mask if how == "after" else weights.masked_fill(~mask, -1e9 if how == "filled after" else -math.inf)
    )
