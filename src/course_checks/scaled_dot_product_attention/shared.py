"""What several tasks of exercise 04 share: what is right, and the ways in which the weights go wrong."""

import math

import torch
from torch import Tensor

from course_checks.task import Task

UNIT = "scaled_dot_product_attention"
READY_MADE = ("scaled_dot_product", "multi_head_attention")
double = torch.float64

_ROOT = "compare the line with the formula: which size stands under the root?"
_KEYS = "each query shares out its attention among the keys: softmax over the last dimension"
_BEFORE = "set the hidden scores to -inf before softmax, so that their weights are 0 and the others sum to 1"
_SHARP, _FLAT = "the weights are more extreme than they should be", "the weights are flatter than they should be"
_COSINE = ("query and key are normalised to length 1 (cosine) in the place of the division by sqrt(d_k)", _ROOT, _FLAT)
_AFTER = ("the division by sqrt(d_k) comes after softmax", "scale the scores first, then take softmax",
          "the rows sum to less than 1")  # fmt: skip
_AS_THEY_ARE = (
    "e^score is computed of the scores as they are: large ones overflow, and inf / inf is NaN",
    "softmax does not change when a number is subtracted from all scores of a row: which one helps?",
)
_STILL = "hidden keys still have a weight"

# fmt: off
WEIGHTS = {
    " / math.sqrt(d_k)": {
        "": ("the scores are not divided by sqrt(d_k)", _ROOT, _SHARP),
        " / d_k": ("the scores are divided by d_k, not by sqrt(d_k)", _ROOT, _FLAT),
        " * math.sqrt(d_k)": ("the scores are multiplied by sqrt(d_k), not divided", _ROOT, _SHARP),
        " / d_k**0.25": ("the root is taken twice", _ROOT, _SHARP),
        " / math.sqrt(max(d_k - 1, 1))": ("another number than d_k stands under the root, such as d_k - 1", _ROOT),
        " / math.sqrt(key.shape[-2])": ("the scores are divided by the root of the number of keys, not of d_k", _ROOT),
        " / math.sqrt(query.shape[-2])": ("the scores are divided by the root of the number of queries, not of d_k",
            _ROOT),
        " / math.sqrt(query.shape[0])": ("the scores are divided by the root of the first dimension, the batch", _ROOT),
    },
    "softmax(scores)": {
        "torch.softmax(scores, -2)": ("softmax runs over the queries (dim -2), not over the keys (dim -1)", _KEYS,
            "not the rows but the columns sum to 1"),
        "torch.softmax(scores, 0)": ("softmax runs over the first dimension (dim 0)", _KEYS,
            "the sums over the first dimension are 1"),
        "softmax(scores.flatten()).view_as(scores)": ("softmax runs over all elements", _KEYS,
            "all numbers of the tensor together sum to 1"),
        "scores": ("softmax is missing", "the scores are what goes into softmax, not what comes out of it",
            "the rows do not sum to 1, and some numbers are negative"),
        "scores.sigmoid()": ("sigmoid in the place of softmax", "sigmoid looks at each score alone; softmax compares "
            "the scores of a row", "each weight lies between 0 and 1, but the rows do not sum to 1"),
        "scores.exp()": ("the exponentials are not divided by their sum", _KEYS, "the rows do not sum to 1"),
        "scores.log_softmax(-1)": ("the logarithm of the weights is returned", "take softmax, not log_softmax",
            "every number is negative"),
        "(scores.exp() / scores.exp().sum(-1, keepdim=True)).nan_to_num(0.0)": _AS_THEY_ARE,
        "scores.exp() / scores.exp().sum(-1, keepdim=True)": _AS_THEY_ARE,
        "softmax(softmax(scores))": ("softmax is applied twice", "the weights need no second softmax", _FLAT),
    },
    "query @ key.transpose(-2, -1)": {
        "key @ query.transpose(-2, -1)": ("key times query in the place of query times key: rows belong to keys",
            "the query stands on the left of the matrix product, the transposed key on the right",
            "the result is that of query and key exchanged"),
        "query @ key.reshape(*key.shape[:-2], d_k, -1)": ("`view` or `reshape` in the place of a transpose: it keeps "
            "the order of the numbers and mixes the keys", "exchange the last two dimensions with `transpose(-2, -1)`",
            "the shape is right, the numbers are not those of q . k"),
        "query @ key": ("the key is not transposed before the product",
            "write down both shapes: which dimension do query and key share?"),
        "query @ key.permute(*range(key.dim())[::-1])": ("`.T` reverses all dimensions, also those of the batch",
            "exchange only the last two dimensions: `transpose(-2, -1)`"),
        "torch.bmm(query, key.transpose(-2, -1))": ("`torch.bmm` multiplies stacks with exactly one leading dimension",
            "here there may be none, or batch and heads: which product takes any?"),
        "query @ key.transpose(1, 2)": ("the dimensions that change places are counted from the front: with more or "
            "fewer leading dimensions they are others", "count them from the end"),
        "-query @ key.transpose(-2, -1)": ("the sign of the scores is turned around",
            "a large product means a large weight", "the least similar key has the largest weight"),
        "-torch.cdist(query, key)": ("the scores are distances, not dot products", "the score is q . k"),
    },
}
HIDE = "scores.masked_fill(~mask, -math.inf)"
MASK = {
    "scores": ("the mask is not used", _BEFORE, "hidden keys still have a weight: that without a mask"),
    "scores.masked_fill(mask, -math.inf)": (
        "the mask is used the wrong way round (inverted)",
        "True means `may be attended to`: fill the scores where the mask is False",
        "exactly the keys that should be hidden have the weight"),
    "scores.masked_fill(~mask & mask.any(-1, keepdim=True), -math.inf)": (
        "a row that may attend to nothing is left without the mask, and its weights are not set to 0 afterwards",
        "what should the weights of a row be whose mask is False everywhere?",
        "a row that may attend to nothing attends to everything"),
    "scores * mask": ("the hidden scores become 0 (multiplied by the mask, or filled with 0): e^0 is 1, not 0",
                      _BEFORE, _STILL),
    "scores + mask": ("the mask itself is added to the scores, as 0 and 1", _BEFORE, _STILL),
    "scores + ~mask * -1e4": ("a large negative number is added to the hidden scores: in a row without keys all are "
        "shifted alike, and one that is larger still is not hidden", _BEFORE, _STILL),
    "scores + ~mask": ("the inverted mask itself is added to the scores, as 0 and 1", _BEFORE, _STILL),
    "scores + ~mask * -math.inf": (
        "`mask * -inf` or `~mask * -inf`: where the mask is 0, 0 times infinity is NaN",
        "choose with `masked_fill`, do not multiply", "numbers are NaN"),
} | {f"scores.masked_fill(~mask, {fill})": (
    f"the number that is filled in ({fill}) is not small enough to vanish in softmax", _BEFORE, _STILL)
    for fill in (-1, -10)}
TWICE = ("torch.softmax(weights * mask, -1)", "torch.softmax(weights.masked_fill(~mask, -math.inf), -1)")
TWICE_WORDS = ("weights, not scores, go through softmax a second time after the mask, which makes them nearly even "
               "(and a weight of 0 is no longer 0: e^0 is 1)", "softmax once is enough: where does the mask belong?")
MASK_AFTER = dict.fromkeys(TWICE, TWICE_WORDS) | {
    "weights * mask": ("the mask is applied after softmax, so the other weights do not know of it", _BEFORE,
                       "hidden keys have weight 0, but the rows sum to less than 1"),
    "torch.nn.functional.normalize(weights * mask, p=1, dim=-1)": (
        "softmax (or its maximum) takes the hidden scores in, and what the mask leaves is divided by its sum: a large "
        "hidden score leaves nothing to divide", _BEFORE, "a row with visible keys has the sum 0"),
    "weights * mask / (weights * mask).sum(-1, keepdim=True)": (
        "softmax (or its maximum) takes the hidden scores in, and what the mask leaves is divided by its sum: a large "
        "hidden score, or a row without keys, leaves 0 / 0", _BEFORE),
    "weights.masked_fill(~mask, -1e9)": ("-1e9 is filled in after softmax", _BEFORE, "weights of -1e9"),
    "weights.masked_fill(~mask, -math.inf)": ("-inf is filled in after softmax", _BEFORE, "weights of -inf"),
}
# fmt: on


def edit_weights(task: Task) -> None:
    """Add the mistakes on the way from query and key to the weights."""
    for old, wrong in WEIGHTS.items():
        task.edit(old, wrong)
    task.edit("query @ key.transpose(-2, -1) / math.sqrt(d_k)", {
        "torch.cosine_similarity(query[..., None, :], key[..., None, :, :], -1)": _COSINE})  # fmt: skip
    task.edit_places({" / math.sqrt(d_k)": "", "softmax(scores)": "softmax(scores) / math.sqrt(d_k)"}, *_AFTER)


def edit_after(task: Task, wrong: dict[str, tuple[str, ...]], end: str = "return weights", before: str = "") -> None:
    """Add mistakes that take the mask to the weights, and not to the scores."""
    for new, words in wrong.items():
        late = f"{before}if mask is not None:\n    weights = {new}\nreturn weights"
        task.edit_places({HIDE: "scores", end: late}, *words)


def right_softmax(scores: Tensor) -> Tensor:
    """Take torch's softmax over the last dimension; a row of nothing but -inf gives zeros, and so does its gradient."""
    nothing = (scores == -math.inf).all(-1, keepdim=True) if scores.shape[-1] else scores
    return torch.softmax(scores.masked_fill(nothing, 0.0), -1).masked_fill(nothing, 0.0) if scores.numel() else scores


def right_pair(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """Compute output and weights, the scores by a sum over d_k."""
    scores = torch.einsum("...md,...nd->...mn", query, key) / math.sqrt(query.shape[-1])
    weights = right_softmax(scores if mask is None else scores.masked_fill(~mask, -math.inf))
    return weights @ value, weights
