"""Task `attention_weights` of exercise 04."""

import torch

from course_checks.cases import Case, gradients, refusal
from course_checks.scaled_dot_product_attention.shared import (
    OVER,
    PRODUCT,
    READY_MADE,
    SCALE,
    UNIT,
    right_pair,
    scores_with,
    weights_of,
)
from course_checks.task import Task

task = Task("attention_weights", UNIT, READY_MADE)


@task.oracle
def right(query, key):
    """Take the weights of the oracle for attention."""
    return right_pair(query, key, key)[1]


@task.pipeline(scale=SCALE, over=OVER, product=PRODUCT)
def attention_weights(query, key, *, scale="sqrt(d_k)", over="keys", product="query key^T"):
    """Compute the weights with one choice for each step."""
    weights = weights_of(scores_with(query, key, scale, product), over)
    return weights / query.shape[-1] ** 0.5 if scale == "after" else weights


def inputs(queries, keys, dtype=torch.float32, scale=1.0):
    """Draw queries and keys of these shapes."""
    return lambda draw: (draw(*queries, dtype=dtype, scale=scale), draw(*keys, dtype=dtype, scale=scale))


double = torch.float64
EXPECTED = "row i holds the weights of query i: softmax over the keys of q . k / sqrt(d_k)"
task.require(
    "softmax over the keys of the scaled scores",
    EXPECTED,
    [
        Case("3 queries, 7 keys, d_k = 5, batch of 2", inputs((2, 3, 5), (2, 7, 5))),
        Case("queries with batch and heads, keys with heads alone", inputs((2, 3, 4, 6), (3, 5, 6))),
        Case("large queries and keys", inputs((2, 3, 16), (2, 6, 16), scale=30.0)),
    ],
    [
        Case("no leading dimension", inputs((5, 9), (8, 9), double)),
        Case("batch and heads", inputs((2, 3, 5, 6), (2, 3, 7, 6), double)),
        Case("leading dimensions that broadcast", inputs((2, 1, 3, 8), (5, 4, 8), double)),
        Case("no batch for the keys", inputs((2, 6, 5), (4, 5), double)),
        Case("large queries and keys, one sentence", inputs((3, 9), (6, 9), double, 60.0)),
    ],
)
task.require(
    "rows are queries, columns are keys",
    EXPECTED,
    [Case("4 queries and 4 keys, d_k = 6, no batch", inputs((4, 6), (4, 6)))],
    [Case("as many queries as keys as d_k", inputs((4, 4), (4, 4), double)),
     Case("as many of everything, with a batch", inputs((5, 5, 5), (5, 5, 5), double))],
)  # fmt: skip
task.require(
    "the gradient is that of the formula",
    "the derivative of the formula with respect to query and key",
    [Case("the gradient, 2 queries, 3 keys, d_k = 4", inputs((2, 4), (3, 4), double), gradients())],
    [Case("the gradient, with a batch", inputs((2, 3, 4), (2, 5, 4), double), gradients())],
)
task.limits(
    "one query, one key, d_k = 1, float16, and wrong input",
    [
        Case("float16", inputs((3, 4), (5, 4), torch.float16)),
        Case("one query", inputs((2, 1, 4), (2, 6, 4))),
        Case("one key", inputs((3, 5, 4), (3, 1, 4))),
        Case("d_k = 1", inputs((2, 3, 1), (2, 5, 1))),
        refusal("a key with another d_k", inputs((2, 3, 4), (2, 5, 3))),
        refusal("a query without a row dimension", inputs((4,), (5, 4))),
        refusal("queries and keys that are integers", (torch.ones(2, 3).long(), torch.ones(4, 3).long())),
    ],
)
