"""Task `attention_weights` of exercise 04."""

import torch

from course_checks.cases import Case, drawn, gradients, refusal
from course_checks.scaled_dot_product_attention.shared import READY_MADE, UNIT, double, edit_weights, right_pair
from course_checks.task import Task

task = Task("attention_weights", UNIT, READY_MADE)
edit_weights(task)


@task.oracle
def right(query, key):
    """Take the weights of the oracle for attention."""
    return right_pair(query, key, key)[1]


EXPECTED = "row i holds the weights of query i: softmax over the keys of q . k / sqrt(d_k)"
task.require("softmax over the keys of the scaled scores", EXPECTED,
             [Case("3 queries, 7 keys, d_k = 5, batch of 2", drawn("2 3 5; 2 7 5")),
              Case("queries with batch and heads, keys with heads alone", drawn("2 3 4 6; 3 5 6")),
              Case("large queries and keys", drawn("2 3 16; 2 6 16", scale=30.0))],
             [Case("no leading dimension", drawn("5 9; 8 9", dtype=double)),
              Case("batch and heads", drawn("2 3 5 6; 2 3 7 6", dtype=double)),
              Case("leading dimensions that broadcast", drawn("2 1 3 8; 5 4 8", dtype=double)),
              Case("no batch for the keys", drawn("2 6 5; 4 5", dtype=double)),
              Case("large queries and keys, one sentence", drawn("3 9; 6 9", dtype=double, scale=60.0))])  # fmt: skip
task.require("rows are queries, columns are keys", EXPECTED,
             [Case("4 queries and 4 keys, d_k = 6, no batch", drawn("4 6; 4 6"))],
             [Case("as many queries as keys as d_k", drawn("4 4; 4 4", dtype=double)),
              Case("as many of everything, with a batch", drawn("5 5 5; 5 5 5", dtype=double))])  # fmt: skip
task.require("the gradient is that of the formula", "the derivative of the formula with respect to query and key",
             [Case("the gradient, 2 queries, 3 keys, d_k = 4", drawn("2 4; 3 4", dtype=double), gradients())],
             [Case("the gradient, with a batch", drawn("2 3 4; 2 5 4", dtype=double), gradients())])  # fmt: skip
task.limits("one query, one key, d_k = 1, float16, and wrong input",
            [Case("float16", drawn("3 4; 5 4", dtype=torch.float16)), Case("one query", drawn("2 1 4; 2 6 4")),
             Case("one key", drawn("3 5 4; 3 1 4")), Case("d_k = 1", drawn("2 3 1; 2 5 1")),
             refusal("a key with another d_k", drawn("2 3 4; 2 5 3")),
             refusal("a query without a row dimension", drawn("4; 5 4")),
             refusal("queries and keys that are integers", drawn("9: 2 3; 9: 4 3"))])  # fmt: skip
