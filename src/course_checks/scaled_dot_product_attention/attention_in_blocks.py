"""Task `attention_in_blocks` of exercise 04, the stretch."""

import math

import torch

from course_checks.cases import Case
from course_checks.scaled_dot_product_attention.shared import READY_MADE, UNIT, right_pair
from course_checks.task import Task
from course_checks.words import Wrong

task = Task("attention_in_blocks", UNIT, READY_MADE)
_TWO = "work out two blocks of one key each by hand: what do both sums hold after the second block?"


@task.oracle
def right(query, key, value, block_size):
    """Look at all keys at once."""
    return right_pair(query, key, value)[0]


@task.pipeline(
    correction={
        "none": Wrong("the sums are not corrected when a block brings a new maximum", "", _TWO),
        "weighted": Wrong("only the sum of the values is corrected, not the sum of the exponentials", "", _TWO),
        "total": Wrong("only the sum of the exponentials is corrected, not that of the values", "", _TWO),
        "inverse": Wrong("the correction is the inverse of the right one", "", _TWO),
    },
    maximum={
        "block": Wrong("the maximum of the block takes the place of the maximum so far, even where it is smaller", "",
                       "the maximum never falls from block to block"),
        "none": Wrong("no maximum is subtracted: large scores overflow", "numbers are NaN or infinite",
                      "subtract the largest score so far"),
    },
    end={
        "not divided": Wrong("the sum of the values is not divided by the sum of the exponentials", "", _TWO),
        "mean of blocks": Wrong("each block has a softmax of its own, and their outputs are averaged", "", _TWO),
        "last block": Wrong("only the last block is returned", "", _TWO),
    },
    scale={"none": Wrong("the scores are not divided by sqrt(d_k)", "", "as in task 3")},
)  # fmt: skip
def attention_in_blocks(
    query, key, value, block_size, *, correction="both", maximum="so far", end="divided", scale="sqrt(d_k)"
):
    """Go through the blocks with one choice for each step."""
    highest, weighted, total, outputs = -math.inf, 0.0, 0.0, []
    for some_keys, some_values in zip(key.split(block_size, -2), value.split(block_size, -2), strict=True):
        scores = query @ some_keys.transpose(-2, -1) / (1 if scale == "none" else math.sqrt(query.shape[-1]))
        outputs.append(torch.softmax(scores, -1) @ some_values)
        new = scores.amax(-1, keepdim=True)
        new = new if maximum == "block" else torch.clamp(new, min=highest)
        new = torch.zeros_like(new) if maximum == "none" else new
        factor = (highest - new).exp() if torch.is_tensor(highest) else torch.zeros_like(new)
        factor = 1 / factor if correction == "inverse" and torch.is_tensor(highest) else factor
        exponentials = (scores - new).exp()
        weighted = weighted * (1 if correction in ("none", "total") else factor) + exponentials @ some_values
        total = total * (1 if correction in ("none", "weighted") else factor) + exponentials.sum(-1, keepdim=True)
        highest = new
    if end in ("mean of blocks", "last block"):
        return outputs[-1] if end == "last block" else torch.stack(outputs).mean(0)
    return weighted if end == "not divided" else weighted / total


def inputs(block_size, scale=1.0):
    """Draw 3 queries and 8 keys."""
    return lambda draw: (draw(2, 3, 5, scale=scale), draw(2, 8, 5, scale=scale), draw(2, 8, 6), block_size)


task.require(
    "the output does not depend on the size of the blocks",
    "the output of attention over all keys",
    [Case(f"8 keys in blocks of {size}{', large scores' * (scale > 1)}", inputs(size, scale))
     for size in (8, 4, 3, 1) for scale in (1.0, 60.0)],
)  # fmt: skip
