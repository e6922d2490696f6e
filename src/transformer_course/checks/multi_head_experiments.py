"""The checks of exercise 07 beside its contract: heads one by one, the mended heads, and heads that share keys."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from transformer_course.checks.answers import Answer
from transformer_course.checks.multi_head_mistakes import MERGE_VIEWED, VIEWED, view_merge, view_split
from transformer_course.checks.oracles import right_pair
from transformer_course.checks.oracles_heads import (
    right_grouped,
    right_heads,
    right_merge,
    right_multi_head,
    right_split,
)
from transformer_course.checks.reporting import Mistake, draw

UNIT = "multi_head_attention"
READY_MADE = ("multi_head_attention",)
# What the experiment is handed: four matrices, in this order.
MATRICES = ("w_query", "w_key", "w_value", "w_output")


def matrices(d_model: int, seed: int, dtype: torch.dtype = torch.float64) -> tuple[Tensor, ...]:
    """Draw the four matrices of the experiment."""
    return tuple(draw(d_model, d_model, seed=seed + each, dtype=dtype) / math.sqrt(d_model) for each in range(4))


def right_one_by_one(x: Tensor, *rest) -> Tensor:
    """Compute self-attention from four matrices without a bias."""
    *given, num_heads = rest
    weights = {f"{name}.weight": matrix for name, matrix in zip(MATRICES, given, strict=True)}
    return right_multi_head(weights, num_heads, x, x, x)[0]


def check_heads_one_by_one(heads_one_by_one: Callable) -> None:
    """Check that a list of heads gives what the fused computation gives."""
    subject = Answer(heads_one_by_one, "heads_one_by_one", UNIT, READY_MADE)
    situation, x = "batch 2, length 5, d_model 12, 3 heads", draw(2, 5, 12, seed=31).double()
    given = matrices(12, seed=32)
    right = right_one_by_one(x, *given, 3)

    def run(parts, split=right_split, last=lambda joined: joined @ given[3].T):
        products = [x @ matrix if turned else x @ matrix.T for matrix, turned in zip(given[:3], parts, strict=True)]
        return last(right_merge(right_pair(*(split(each, 3) for each in products))[0]))

    plain = (False,) * 3
    rows = "nn.Linear computes `x @ weight.T`: head i owns a block of rows of the weight"
    mistakes = [
        Mistake(
            run((True,) * 3),
            "other columns of the matrices are used",
            "a head takes columns of w_query, w_key and w_value; its features are the rows",
            rows,
        ),
        Mistake(run(plain, last=lambda joined: joined), "the heads stand side by side", "w_output is not used", rows),
        Mistake(
            run(plain, last=lambda joined: joined @ given[3]),
            "the heads are right, their last projection is not",
            "w_output is not transposed",
            rows,
        ),
        Mistake(
            run(plain, split=lambda each, num_heads: each.unsqueeze(1)),
            "the result is that of one wide head",
            "no head has rows of its own: num_heads is not used",
            "slice `w_query[i * d_k : (i + 1) * d_k]` in a loop over i",
        ),
        Mistake(
            right_heads(x, x, x, 3)[0] @ given[3].T,
            "the result is that of inputs that were not projected",
            "the input is cut into pieces, and w_query, w_key and w_value are not used",
            "every head reads all of x, through its own rows of the three matrices",
        ),
        Mistake(
            run(plain, split=lambda each, num_heads: right_split(each, num_heads).flip(1)),
            "the heads stand in the wrong order",
            "the list of heads is built from the last to the first",
            "head 0 comes first",
        ),
    ]
    result = subject.tensor(situation, x, *given, 3, like=right)
    subject.compare(situation, result, right, "the same numbers as all heads at once", mistakes, rows)
    subject.passed("a list of heads computes what the fused matrices compute")


def check_mended_heads(mended_heads: Callable) -> None:
    """Check two properties that the broken function does not have; say which one is missing, not where."""
    subject = Answer(mended_heads, "mended_heads", UNIT, READY_MADE)
    query, key, value = draw(2, 5, 12, seed=41), draw(2, 7, 12, seed=42), draw(2, 7, 12, seed=43)
    situation, num_heads = "batch 2, 5 queries, 7 keys, d_model 12, 3 heads", 3
    right = right_heads(query, key, value, num_heads)[0]

    def run(split, factor, merge):
        parts = (split(x, num_heads) for x in (query * factor, key, value))
        return merge(right_pair(*parts)[0])

    shrink = num_heads**-0.5
    blocks = "add 1 to column 0 of every value: which columns of the output change? Only those of head 0 may"
    wide = "the scores are still divided by the root of the wrong width"
    mistakes = [
        Mistake(run(view_split, shrink, right_merge), "both faults are still there", VIEWED.cause, blocks),
        Mistake(run(view_split, 1.0, right_merge), "words are still mixed", VIEWED.cause, blocks),
        Mistake(
            run(right_split, shrink, right_merge),
            "the outputs are closer to a plain mean than they should be",
            wide,
            "which width do the two vectors of a dot product have inside a head?",
        ),
        Mistake(
            run(right_split, num_heads**-0.5 * math.sqrt(12), right_merge),
            "the outputs are those of sharper weights",
            "the scores are not divided at all",
            "the division belongs there; look at the number under the root",
        ),
        Mistake(run(view_split, 1.0, view_merge), "words are still mixed", MERGE_VIEWED.cause, blocks),
    ]
    requirement = "every head attends in its own columns of every word, and divides by the root of its own width"
    result = subject.tensor(situation, query, key, value, num_heads, like=right)
    subject.compare(situation, result, right, requirement, mistakes, blocks)
    subject.passed("every head attends in its own columns")


def check_grouped_attention(grouped_attention: Callable) -> None:
    """Check that neighbouring query heads share a key head, and that shapes which do not fit are refused."""
    subject = Answer(grouped_attention, "grouped_attention", UNIT, READY_MADE)
    query, key, value = draw(2, 6, 5, 4, seed=51), draw(2, 3, 7, 4, seed=52), draw(2, 3, 7, 4, seed=53)
    for situation, groups in [("6 query heads, 3 key heads", 3), ("6 query heads, 1 key head", 1)]:
        inputs = query, key[:, :groups], value[:, :groups]
        right = right_grouped(*inputs)
        repeated = right_pair(query, *(x.repeat(1, 6 // groups, 1, 1) for x in inputs[1:]))[0]
        tiled = Mistake(
            repeated,
            "query heads 0, 3, ... share a key head",
            "the key heads are repeated as a whole (0 1 2 0 1 2), not one after the other (0 0 1 1 2 2)",
            "compare `repeat` and `repeat_interleave` on `torch.arange(3)`",
        )
        result = subject.tensor(situation, *inputs, like=right)
        subject.compare(situation, result, right, "neighbouring query heads share a key head", [tiled])
    subject.refuses("6 query heads, 4 key heads", query, draw(2, 4, 7, 4, seed=54), draw(2, 4, 7, 4, seed=55))
    subject.passed("neighbouring query heads share a key head")
