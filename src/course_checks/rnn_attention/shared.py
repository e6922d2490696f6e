"""What several tasks of exercise 03 share: the right weights, and the ways in which a mask goes wrong."""

import math

import torch
from torch import Tensor

from course_checks.words import Wrong

UNIT = "rnn_attention"
READY_MADE = ("scaled_dot_product", "multi_head_attention")

_BEFORE = "which number must a hidden score become, so that e to its power is 0?"
_SEEN = "padding still has a weight"
MASK = {
    "not used": Wrong("the mask is not used", "hidden words still have a weight: that without a mask", _BEFORE),
    "after": Wrong(
        "the mask is applied after softmax, so the other weights do not know of it",
        "hidden words have weight 0, but the rows sum to less than 1", _BEFORE,
    ),
    "times": Wrong("the mask is multiplied into the scores, or 0 filled in: e^0 is 1, not 0", _SEEN, _BEFORE),
    "added": Wrong("the mask itself is added to the scores, as 0 and 1", _SEEN, _BEFORE),
    "added inverted": Wrong("the inverted mask is added to the scores, as 0 and 1", _SEEN, _BEFORE),
    "-10": Wrong("the number that is filled in is not small enough to vanish in softmax", _SEEN, _BEFORE),
    "inverted": Wrong("the mask is used the wrong way round (inverted)", "exactly the hidden words have the weight",
                      "True means `may be attended to`: hide where the mask is False"),
    "inverted, finite": Wrong("the mask is used the wrong way round (inverted), with a large finite number",
                              "the hidden words have the weight", "True means `may be attended to`"),
    "inverted, 0": Wrong("the mask is used the wrong way round (inverted), and what is NaN becomes 0",
                         "the hidden words have the weight", "True means `may be attended to`"),
    "product": Wrong("infinity times the mask: 0 times infinity is NaN", "numbers are NaN",
                     "choose with `masked_fill`, do not multiply"),
}  # fmt: skip


def softmax(scores: Tensor) -> Tensor:
    """Take torch's softmax over the last dimension; a row of nothing but -inf gives zeros, and so does its gradient."""
    nothing = (scores == -math.inf).all(-1, keepdim=True)
    return torch.softmax(scores.masked_fill(nothing, 0.0), -1).masked_fill(nothing, 0.0)


def masked_weights(scores: Tensor, mask: Tensor | None, how: str = "before", over=softmax) -> Tensor:
    """Turn scores into weights with one choice for the mask, and a function for what softmax should do."""
    if mask is None or how == "not used":
        return over(scores)
    if how == "after":
        return over(scores) * mask
    if how in ("times", "added", "added inverted"):
        return over(scores * mask if how == "times" else scores + (mask if how == "added" else ~mask))
    if how == "product":
        return torch.softmax(scores + ~mask * -math.inf, -1)
    if how == "inverted":
        return torch.softmax(scores.masked_fill(mask, -math.inf), -1)
    if how == "inverted, 0":
        return torch.softmax(scores.masked_fill(mask, -math.inf), -1).nan_to_num()
    if how == "inverted, finite":
        return over(scores.masked_fill(mask, -1e9))
    return over(scores.masked_fill(~mask, -10.0 if how == "-10" else -math.inf))
