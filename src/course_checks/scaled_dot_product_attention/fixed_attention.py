"""Task `fixed_attention` of exercise 04: two bugs to find."""

import math

import torch

from course_checks.cases import Case, gradients
from course_checks.scaled_dot_product_attention.scaled_dot_product_attention import inputs, loud
from course_checks.scaled_dot_product_attention.shared import MASK, READY_MADE, UNIT, masked_weights, right_pair
from course_checks.task import Task
from course_checks.words import Wrong

task = Task("fixed_attention", UNIT, READY_MADE)
task.oracle(right_pair)

_ROWS = "what do the rows of the weights sum to when there is a mask, and what should they sum to?"
_SIZES = "give two values of different width to the same query and key: do the weights change?"


@task.pipeline(
    root={
        "value": Wrong("the weights still depend on the width of the value", "the weights are not those of the formula",
                       _SIZES),
        "length": Wrong("the root is that of a length, not of the width of the queries", "", _SIZES),
        "none": Wrong("the scores are not divided at all", "", "fix the two lines, leave the others as they are"),
    },
    masking={
        "after": Wrong("a row with hidden keys still does not sum to 1", "hidden keys have weight 0, but the rows sum "
                       "to less than 1", _ROWS),
        "divided": MASK["divided"],
        "inverted": Wrong("the mask is used the wrong way round", "exactly the hidden keys have the weight",
                          "True means `may be attended to`"),
        "not used": Wrong("the mask is no longer used", "hidden keys have a weight", _ROWS),
        "times scores": Wrong("the mask is multiplied into the scores: e^0 is 1, not 0",
                              "hidden keys have a weight", _ROWS),
        "output": Wrong("the weights that are returned are not those that multiply the value", "", _ROWS),
    },
)  # fmt: skip
def fixed_attention(query, key, value, mask=None, *, root="d_k", masking="before"):
    """Fix with one choice for each of the two lines."""
    sizes = {"value": value.shape[-1], "length": key.shape[-2], "none": 1}
    scores = query @ key.transpose(-2, -1) / math.sqrt(sizes.get(root, query.shape[-1]))
    if mask is None:
        weights = torch.softmax(scores, dim=-1)
        return weights @ value, weights
    if masking == "divided":
        weights = masked_weights(scores, mask, masking)
        return weights @ value, weights
    hidden = {"before": ~mask, "inverted": mask, "output": ~mask}.get(masking)
    changed = scores * mask if masking == "times scores" else scores
    weights = torch.softmax(changed if hidden is None else scores.masked_fill(hidden, -math.inf), dim=-1)
    weights = weights * mask if masking == "after" else weights
    return weights @ value, torch.softmax(scores, dim=-1) if masking == "output" else weights


task.require(
    "the weights are those of the formula when d_k and d_v differ",
    "the weights of the formula, which depend on query and key alone",
    [Case("no mask, d_k = 8, d_v = 3", inputs((3, 5, 8, 3)))],
    [Case("no mask, d_k = 8, d_v = 2, no batch", inputs((3, 5, 8, 2), leading=(), dtype=torch.float64)),
     Case("no mask, batch and heads", inputs((4, 6, 5, 7), leading=(2, 3), dtype=torch.float64))],
)  # fmt: skip
task.require(
    "with a mask every row of the weights sums to 1",
    "each row of the weights sums to 1: the keys that remain share the whole weight",
    [Case("a mask of shape (3, 5)", inputs((3, 5, 8, 3), (3, 5))), Case("a hidden key with large numbers", loud)],
    [Case("a mask, batch and heads", inputs((4, 6, 5, 7), (4, 6), (2, 3), torch.float64)),
     Case("the gradient of the output, with a mask", inputs((4, 6, 5, 7), (4, 6), (2,), torch.float64), gradients(0))],
)  # fmt: skip
