"""Tasks `parameter_count` and `attention_flops` of exercise 07, and the predictions that they answer."""

import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from course_checks.cases import Case, refusal
from course_checks.multi_head_attention.shared import READY_MADE, UNIT
from course_checks.predictions import Predictions
from course_checks.task import Task

parameters = Task("parameter_count", UNIT, READY_MADE)
flops = Task("attention_flops", UNIT, READY_MADE)
_ONE_HEAD = "write down for one head what its part of the layers holds, and sum over the heads"
_SMALL = "count d_model = 2, one head, one query and two keys on paper"


@parameters.oracle
def right_parameters(d_model, num_heads, bias=True):
    """Let torch count its own layer."""
    return sum(each.numel() for each in nn.MultiheadAttention(d_model, num_heads, bias=bias).parameters())


# fmt: off
_LAYERS, _BIAS = "queries, keys, values, output", "what does bias=False change?"
parameters.edit("4 * ", {
    "3 * ": ("three layers are counted: that of the output is missing", _LAYERS),
    "": ("one layer is counted, not four", _LAYERS),
    "4.0 * ": ("a division makes a float", "use `//`, or do not divide"),
})
parameters.edit("(d_model + int(bias))", {
    "(d_model + int(bias)) * num_heads": ("the count is multiplied by the number of heads: each layer is shared out "
        "among the heads", _ONE_HEAD, "it grows with the number of heads"),
    "(d_model + int(bias)) // num_heads": (
        "the count is divided by the number of heads", _ONE_HEAD, "it falls with more heads"),
})
parameters.edit("(d_model + ", {"(d_model // num_heads + ": (
    "each head is given a matrix (d_k, d_k): a head reads all d_model columns", _ONE_HEAD)})
parameters.edit("int(bias)", {
    "0": ("the biases are missing", "one bias for every output column of every layer"),
    "1": ("`bias` is not used: biases are counted always", _BIAS),
    "int(not bias)": ("biases are counted where there are none, and the other way round", _BIAS),
})
parameters.edit("d_model * (d_model + int(bias))", {"(d_model * d_model + int(bias))": (
    "one bias a layer is counted, not one for every output column", "a bias is a vector")})
parameters.edit("4 * d_model * (d_model + int(bias))", {
    "4 * d_model * d_model + d_model * int(bias)": (
        "one bias is counted for all four layers", "how many of the four layers have a bias of their own?"),
    "4 * d_model * d_model + 3 * d_model * int(bias)": (
        "the bias of one layer is left out, as that of the output", _LAYERS),
    "3 * d_model * (d_model + int(bias)) + d_model * (d_model // num_heads + int(bias))": (
        "the output layer is counted as if it read one head, d_k columns", "what is glued together before w_output?"),
    "4 * d_model * d_model + d_model * (3 + int(bias))": (
        "`bias` is used for one layer, as that of the output: the biases of the others are counted always", _BIAS),
    "4 * d_model * (d_model + 1) * int(bias)": (
        "without a bias nothing is left: `a + b if bias else 0` means `(a + b) if bias else 0`",
        "how many weights are left when every bias is taken away?", "with biases it is right, without them it is 0")})
# fmt: on

parameters.require("weights and biases of four layers",
                   "the number of weights and biases of four layers from d_model to d_model, an integer",
                   [Case("d_model = 12, 3 heads", (12, 3)), Case("d_model = 12, 4 heads, no bias", (12, 4, False)),
                    Case("d_model = 10, 5 heads, with bias", (10, 5, True))],
                   [Case("the first Transformer", (512, 8)), Case("heads of width 1, no bias", (7, 7, False)),
                    Case("one head", (30, 1)), Case("others", (14, 2, True))])  # fmt: skip
parameters.limits("d_model = 1, and wrong input",
                  [Case("d_model = 1", (1, 1)), refusal("three heads for eight columns", (8, 3)),
                   refusal("no heads", (6, 0))])  # fmt: skip


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


# fmt: off
_FOUR, _TWO = "four projections: queries, keys, values, output", "scores, and weights times values"
flops.edit("2 * (query_length + key_length)", {
    "4 * query_length": ("all four projections are counted with query_length rows",
        "whose rows are the keys and values?"),
    "4 * key_length": ("all four projections are counted with key_length rows", "whose rows are the queries?"),
    "(3 * query_length + key_length)": ("the projection of the values is counted with query_length rows",
        "there is one value for each key"),
    "(query_length + 3 * key_length)": ("the output layer is counted with key_length rows",
        "how many rows has the output?"),
    "(query_length + 2 * key_length + num_heads * query_length)": (
        "the output layer is counted once for each head; it comes once, after all of them", _FOUR),
    "(query_length + 2 * key_length)": ("the output layer is not counted", _FOUR),
    "0": ("the projections are not counted", _FOUR),
    "2 * num_heads * (query_length + key_length)": ("the projections are counted once for each head: a head has d_k of "
        "the columns", "one head's projection goes from d_model to d_k columns"),
})
_INSIDE = "2 * query_length * key_length * d_model"
flops.edit(_INSIDE, {
    _INSIDE[4:]: ("only one of the two products of a head is counted", _TWO),
    "query_length * key_length * (d_model + num_heads * key_length)": (
        "the product with the values is counted with key_length columns; a value of one head has d_k", _SMALL),
    f"{_INSIDE} * num_heads": ("every head is counted with d_model columns; it has d_k of them", _SMALL),
    f"{_INSIDE} // num_heads": ("the products of one head are counted, not of all", _SMALL),
    "2 * query_length**2 * d_model": (
        "the weights are taken as (query_length, query_length)", "each query meets every key"),
    f"{_INSIDE} + query_length * key_length * num_heads": (
        "softmax is counted too", "nothing but matrix products counts"),
    "0": ("the two products of a head are not counted", _TWO),
})
flops.edit("projections + products", {
    "2 * (projections + products)": ("a multiplication and its addition are counted as two",
        "a multiply-accumulate is both together", "every number is twice the right one"),
    "float(projections + products)": ("a division makes a float", "use `//`, or do not divide"),
})
# fmt: on

flops.require("four projections, and two products in every head",
              "the multiply-accumulates of the four projections and of the two products of every head, an integer",
              [Case("5 queries, 7 keys, d_model = 12, 3 heads", (5, 7, 12, 3)),
               Case("3 words, d_model = 8, 2 heads", (3, 3, 8, 2))],
              [Case("the first Transformer", (100, 100, 512, 8)), Case("more keys than queries", (3, 11, 10, 5)),
               Case("more queries than keys, one head", (11, 3, 10, 1))])  # fmt: skip
flops.limits("one of everything, no word, and wrong input",
             [Case("one of everything", (1, 1, 1, 1)), Case("no query", (0, 4, 6, 2)),
              refusal("three heads for eight columns", (4, 5, 8, 3)),
              refusal("a negative length", (-1, 5, 6, 2))])  # fmt: skip


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
