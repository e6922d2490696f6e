"""Tasks `split_heads` and `merge_heads` of exercise 07."""

import torch

from course_checks.cases import Case, gradients, refusal
from course_checks.multi_head_attention.shared import (
    MERGE,
    READY_MADE,
    SPLIT,
    UNIT,
    right_merge,
    right_split,
)
from course_checks.multi_head_attention.shared import merge as merged
from course_checks.multi_head_attention.shared import split as cut
from course_checks.task import Task

split = Task("split_heads", UNIT, READY_MADE)
merge = Task("merge_heads", UNIT, READY_MADE)
split.oracle(right_split)
merge.oracle(right_merge)
split.pipeline(how=SPLIT)(cut)
merge.pipeline(how=MERGE)(merged)


def words(batch, length, d_model, num_heads, dtype=torch.float32):
    """Draw words, and name the number of heads."""
    return lambda draw: ((10 * draw(batch, length, d_model)).to(dtype), num_heads)


def scattered(order, *shape):
    """Draw a tensor that is not contiguous in memory."""
    return lambda draw: (draw(*shape).permute(*order),)


split.require(
    "head i holds columns i * d_k to (i + 1) * d_k of every word",
    "result[b, i, t] holds the columns of head i of word t of sentence b",
    [Case("2 sentences of 5 words, d_model = 6, 3 heads", words(2, 5, 6, 3)),
     Case("3 sentences of 3 words, d_model = 9, 3 heads", words(3, 3, 9, 3)),
     Case("integers", words(2, 3, 8, 4, torch.int64)),
     Case("a tensor that is not contiguous", lambda draw: (*scattered((2, 1, 0), 6, 5, 2)(draw), 3)),
     Case("the gradient", words(2, 3, 6, 3, torch.float64), gradients())],
    [Case("one head", words(2, 5, 6, 1)), Case("heads of width 1", words(2, 3, 7, 7)),
     Case("batch of one", words(1, 4, 10, 5)), Case("as many sentences as heads as words", words(4, 4, 12, 4)),
     Case("float64", words(2, 7, 12, 2, torch.float64))],
)  # fmt: skip
split.limits(
    "one word, float16, and wrong input",
    [
        Case("one word", words(3, 1, 8, 2)),
        Case("float16", words(2, 3, 8, 4, torch.float16)),
        refusal("three heads for eight columns", (torch.ones(2, 3, 8), 3)),
        refusal("no heads", (torch.ones(2, 3, 6), 0)),
        refusal("two dimensions", (torch.ones(3, 6), 3)),
    ],
)
merge.require(
    "the heads of a word stand side by side, head 0 first",
    "result[b, t] holds the heads of word t of sentence b side by side",
    [Case("2 sentences of 5 words, 3 heads of width 4", lambda draw: (draw(2, 3, 5, 4),)),
     Case("3 sentences of 3 words, 3 heads of width 3", lambda draw: (draw(3, 3, 3, 3),)),
     Case("a tensor that is not contiguous", scattered((0, 2, 1, 3), 2, 5, 3, 4)),
     Case("the gradient", lambda draw: (draw(2, 3, 4, 5, dtype=torch.float64),), gradients())],
    [Case("one head", lambda draw: (draw(2, 1, 5, 6),)), Case("heads of width 1", lambda draw: (draw(2, 7, 3, 1),)),
     Case("batch of one", lambda draw: (draw(1, 5, 4, 2),)),
     Case("another order in memory", scattered((3, 2, 1, 0), 2, 5, 3, 4))],
)  # fmt: skip
merge.limits(
    "one word, and wrong input",
    [
        Case("one word", lambda draw: (draw(3, 2, 1, 4),)),
        refusal("three dimensions", (torch.ones(2, 3, 4),)),
    ],
)
