"""Tasks `parameter_count` and `attention_flops` of exercise 07, and the predictions that they answer."""

import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from course_checks.cases import Case, refusal
from course_checks.multi_head_attention.shared import READY_MADE, UNIT
from course_checks.predictions import Predictions
from course_checks.task import Task
from course_checks.words import Wrong

parameters = Task("parameter_count", UNIT, READY_MADE)
flops = Task("attention_flops", UNIT, READY_MADE)
_ONE_HEAD = "write down for one head what its part of the layers holds, and sum over the heads"
_SMALL = "count d_model = 2, one head, one query and two keys on paper"


@parameters.oracle
def right_parameters(d_model, num_heads, bias=True):
    """Let torch count its own layer."""
    return sum(each.numel() for each in nn.MultiheadAttention(d_model, num_heads, bias=bias).parameters())


@parameters.pipeline(
    layers={3: Wrong("three layers are counted: that of the output is missing", "", "queries, keys, values, output"),
            1: Wrong("one layer is counted, not four", "", "queries, keys, values, output")},
    heads={"times": Wrong("the count is multiplied by the number of heads: each layer is shared out among the heads",
                          "it grows with the number of heads", _ONE_HEAD),
           "divided": Wrong("the count is divided by the number of heads", "it falls with more heads", _ONE_HEAD),
           "square": Wrong("each head is given a matrix (d_k, d_k): a head reads all d_model columns", "", _ONE_HEAD)},
    biases={"none": Wrong("the biases are missing", "", "one bias for every output column of every layer"),
            "always": Wrong("`bias` is not used: biases are counted always", "", "what does bias=False change?"),
            "one each": Wrong("one bias a layer is counted, not one for every output column", "",
                              "a bias is a vector"),
            "exchanged": Wrong("biases are counted where there are none, and the other way round", "",
                               "what does bias=False change?")},
    number={"float": Wrong("a division makes a float", "", "use `//`, or do not divide")},
)  # fmt: skip
def parameter_count(d_model, num_heads, bias=True, *, layers=4, heads="shared", biases="right", number="int"):
    """Count with one choice for each part."""
    counted = {"none": 0, "always": d_model, "one each": int(bias), "exchanged": d_model * (not bias)}
    inside = d_model * d_model // num_heads if heads == "square" else d_model * d_model
    count = layers * (inside + counted.get(biases, d_model * bias))
    count = count * num_heads if heads == "times" else count // num_heads if heads == "divided" else count
    return float(count) if number == "float" else count


parameters.require(
    "weights and biases of four layers",
    "the number of weights and biases of four layers from d_model to d_model, an integer",
    [Case("d_model = 12, 3 heads", (12, 3)), Case("d_model = 12, 4 heads, no bias", (12, 4, False)),
     Case("d_model = 10, 5 heads, with bias", (10, 5, True))],
    [Case("the first Transformer", (512, 8)), Case("heads of width 1, no bias", (7, 7, False)),
     Case("one head", (30, 1)), Case("others", (14, 2, True))],
)  # fmt: skip
parameters.limits("d_model = 1, and wrong input", [Case("d_model = 1", (1, 1)), refusal("three heads for eight columns",
                  (8, 3)), refusal("no heads", (6, 0))])  # fmt: skip


@flops.oracle
def right_flops(query_length, key_length, d_model, num_heads):
    """Let torch count: it counts a multiplication and the addition that follows as two."""
    with FlopCounterMode(display=False) as counter:
        query, key = torch.empty(query_length, d_model), torch.empty(key_length, d_model)
        square, d_k = torch.empty(d_model, d_model), d_model // num_heads
        for x in (query, query, key, key):
            x @ square
        scores = torch.empty(num_heads, query_length, d_k) @ torch.empty(num_heads, d_k, key_length)
        scores @ torch.empty(num_heads, key_length, d_k)
    return counter.get_total_flops() // 2


@flops.pipeline(
    projections={
        "keys as queries": Wrong("all four projections are counted with query_length rows", "",
                                 "whose rows are the keys and values?"),
        "all keys": Wrong("all four projections are counted with key_length rows", "",
                          "whose rows are the queries?"),
        "values as queries": Wrong("the projection of the values is counted with query_length rows", "",
                                   "there is one value for each key"),
        "output as keys": Wrong("the output layer is counted with key_length rows", "",
                                "how many rows has the output?"),
        "three": Wrong("the output layer is not counted", "", "four projections: queries, keys, values, output"),
        "none": Wrong("the projections are not counted", "", "four projections: queries, keys, values, output"),
        "times heads": Wrong("the projections are counted once for each head: a head has d_k of the columns", "",
                             "one head's projection goes from d_model to d_k columns"),
    },
    products={
        "one": Wrong("only one of the two products of a head is counted", "", "scores, and weights times values"),
        "times heads": Wrong("every head is counted with d_model columns; it has d_k of them", "", _SMALL),
        "one head": Wrong("the products of one head are counted, not of all", "", _SMALL),
        "query squared": Wrong("the weights are taken as (query_length, query_length)", "",
                               "each query meets every key"),
        "softmax": Wrong("softmax is counted too", "", "nothing but matrix products counts"),
        "none": Wrong("the two products of a head are not counted", "", "scores, and weights times values"),
    },
    unit={"two": Wrong("a multiplication and its addition are counted as two", "every number is twice the right one",
                       "a multiply-accumulate is both together"),
          "float": Wrong("a division makes a float", "", "use `//`, or do not divide")},
)  # fmt: skip
def attention_flops(m, n, d_model, num_heads, *, projections="four", products="two", unit="one"):
    """Count with one choice for each part."""
    both = 2 * (m + n)
    wrong_rows = {"keys as queries": 4 * m, "all keys": 4 * n, "values as queries": 3 * m + n, "none": 0,
                  "output as keys": m + 3 * n, "three": m + 2 * n, "times heads": both * num_heads}  # fmt: skip
    rows = wrong_rows.get(projections, both)
    one = m * n * d_model
    wrong = {"one": one, "times heads": 2 * one * num_heads, "query squared": 2 * m * m * d_model,
             "one head": 2 * one // num_heads, "none": 0, "softmax": 2 * one + m * n * num_heads}  # fmt: skip
    inside = wrong.get(products, 2 * one)
    count = rows * d_model * d_model + inside
    return 2 * count if unit == "two" else float(count) if unit == "float" else count


flops.require(
    "four projections, and two products in every head",
    "the multiply-accumulates of the four projections and of the two products of every head, an integer",
    [Case("5 queries, 7 keys, d_model = 12, 3 heads", (5, 7, 12, 3)),
     Case("3 words, d_model = 8, 2 heads", (3, 3, 8, 2))],
    [Case("the first Transformer", (100, 100, 512, 8)), Case("more keys than queries", (3, 11, 10, 5)),
     Case("more queries than keys, one head", (11, 3, 10, 1))],
)  # fmt: skip
flops.limits(
    "one of everything, no word, and wrong input",
    [
        Case("one of everything", (1, 1, 1, 1)),
        Case("no query", (0, 4, 6, 2)),
        refusal("three heads for eight columns", (4, 5, 8, 3)),
        refusal("a negative length", (-1, 5, 6, 2)),
    ],
)


def _measure() -> list[str]:
    pairs = (
        [right_parameters(512, heads) for heads in (1, 8)],
        [right_flops(100, 100, 512, heads) for heads in (1, 8)],
        [heads * 100 * 100 for heads in (1, 8)],
        [right_flops(length, length, 512, 8) / length for length in (100, 200)],
    )
    return ["stays" if one == other else "rises" if one < other else "falls" for one, other in pairs]


predictions = Predictions(
    ("parameters", "multiply-accumulates", "weights", "work a word"), _measure, "the table after task 5"
)
