"""Task `scaled_dot_product_attention` of exercise 04."""

import math

import torch

from course_checks.cases import Case, gradients, refusal
from course_checks.scaled_dot_product_attention.shared import (
    MASK,
    OVER,
    PRODUCT,
    READY_MADE,
    SCALE,
    UNIT,
    masked_weights,
    right_pair,
    scores_with,
)
from course_checks.task import Task
from course_checks.words import Wrong

task = Task("scaled_dot_product_attention", UNIT, READY_MADE)
task.oracle(right_pair)


@task.pipeline(
    scale=SCALE
    | {"value": Wrong("the scores are divided by the root of d_v, the width of the values", "", "which size do query "
                      "and key share?")},
    over=OVER,
    product=PRODUCT,
    masking=MASK,
    output={
        "keys": Wrong("weights times key: the value is not used", "the output is a weighted mean of the keys",
                      "the keys say where to look, the values say what is found there"),
        "no mask": Wrong("the output is computed from weights that know nothing of the mask",
                         "the weights are right, but the output is that without a mask",
                         "compute the weights once, and use the same ones for both results"),
        "mean": Wrong("the weights are not used for the output", "every query gets the plain mean of the values",
                      "multiply the weights with the value"),
        "scaled": Wrong("the division by sqrt(d_k) is applied to the output too", "the output is too small",
                        "scale the scores, before softmax, and nothing else"),
        "transposed": Wrong("the weights are transposed before the product with the value", "",
                            "rows of the weights belong to queries: `weights @ value`"),
        "scores": Wrong("the scores are multiplied with the value, not the weights", "", "softmax comes in between"),
        "exchanged": Wrong("the two results come in the wrong order", "", "output first, then the weights"),
        "scores returned": Wrong("the scores are returned, not the weights", "the output is right, the weights are not",
                                 "return what multiplies the value"),
        "alone": Wrong("only the output is returned", "", "the task asks for a pair"),
    },
    empty={
        "nan": Wrong("a query that may attend to nothing has a row of nothing but -inf: softmax of it is 0 / 0",
                     "the row is NaN", "treat the row before or after softmax so that its weights are 0"),
        "uniform": Wrong("-1e9 in the place of -inf makes all scores of a row without keys the same",
                         "a query that may attend to nothing attends to everything equally",
                         "fill in -inf, and give a row without keys the weights 0"),
        "nan output": Wrong("the output is computed before the NaN of the empty row is fixed", "the output is NaN",
                            "fix the weights first, then multiply"),
    },
)  # fmt: skip
def attention(
    query, key, value, mask=None, *, scale="sqrt(d_k)", over="keys", product="query key^T", masking="filled",
    output="value", empty="zeros",
):  # fmt: skip
    """Compute attention with one choice for each step."""
    scores = scores_with(query, key, "none" if scale == "value" else scale, product)
    scores = scores / value.shape[-1] ** 0.5 if scale == "value" else scores
    weights = masked_weights(scores, mask, masking, over)
    if mask is not None and empty != "zeros" and masking == "filled":
        hidden = scores.masked_fill(~mask, -1e9 if empty == "uniform" else -math.inf)
        weights = torch.softmax(hidden, -1)
        if empty == "nan output":
            return weights @ value, weights.nan_to_num(0.0)
    weights = weights / query.shape[-1] ** 0.5 if scale == "after" else weights
    result = {
        "keys": lambda: weights @ key,
        "no mask": lambda: masked_weights(scores, None, over=over) @ value,
        "mean": lambda: value.mean(-2, keepdim=True).expand(*scores.shape[:-1], value.shape[-1]),
        "scaled": lambda: weights @ value / query.shape[-1] ** 0.5,
        "transposed": lambda: weights.transpose(-2, -1) @ value,
        "scores": lambda: scores @ value,
    }.get(output, lambda: weights @ value)()
    if output == "alone":
        return result
    second = scores if output == "scores returned" else weights
    return (second, result) if output == "exchanged" else (result, second)


def inputs(sizes, mask=None, leading=(2,), dtype=torch.float32, scale=1.0, nothing=None):
    """Draw query, key, value of sizes (m, n, d_k, d_v), and a mask of a shape; ``nothing`` is a row without keys."""
    m, n, d_k, d_v = sizes

    def make(draw):
        drawn = (draw(*leading, m, d_k, dtype=dtype, scale=scale), draw(*leading, n, d_k, dtype=dtype, scale=scale),
                 draw(*leading, n, d_v, dtype=dtype))  # fmt: skip
        if mask is None:
            return drawn
        allowed = draw.mask(*mask)
        if nothing is not None:
            allowed[..., nothing, :] = False
        return *drawn, allowed

    return make


def loud(draw):
    """Draw inputs in which a hidden key and its value are large."""
    query, key, value = inputs((5, 7, 4, 6), dtype=torch.float64)(draw)
    mask = torch.ones(5, 7, dtype=torch.bool)
    mask[:, 4] = False
    key[..., 4, :], value[..., 4, :] = 1e5 * key[..., 4, :], 1e3 * value[..., 4, :]  # e^-800 is 0 in float64
    return query, key, value, mask


double, sizes = torch.float64, "batch 2, 3 queries, 7 keys, d_k = 5, d_v = 6"
PAIR = "the output and the weights: softmax, over the keys that may be attended to, of q . k / sqrt(d_k)"
task.require(
    "output and weights without a mask",
    PAIR,
    [Case(f"no mask; {sizes}", inputs((3, 7, 5, 6))),
     Case("4 queries and 4 keys, d_k = 6, d_v = 3, no batch", inputs((4, 4, 6, 3), leading=())),
     Case("large queries and keys", inputs((3, 7, 16, 2), scale=30.0))],
    [Case("no mask, no leading dimension", inputs((5, 8, 9, 3), leading=(), dtype=double)),
     Case("no mask, batch and heads", inputs((5, 7, 4, 6), leading=(2, 3), dtype=double)),
     Case("no mask, all sizes equal", inputs((4, 4, 4, 4), leading=(4,), dtype=double)),
     Case("no mask, large queries and keys", inputs((5, 7, 4, 6), dtype=double, scale=60.0))],
)  # fmt: skip
task.require(
    "a mask hides keys, and the others share the whole weight",
    PAIR,
    [Case(f"a mask of shape (3, 7); {sizes}", inputs((3, 7, 5, 6), (3, 7))),
     Case("a mask of shape (3, 1, 5, 7), one for each example; 3 heads", inputs((5, 7, 4, 6), (3, 1, 5, 7), (3, 3))),
     Case("a hidden key with large numbers", loud),
     Case("as many queries as keys, a mask of shape (4, 4)", inputs((4, 4, 5, 3), (4, 4)))],
    [Case("a mask, batch and heads", inputs((5, 7, 4, 6), (2, 3, 5, 7), (2, 3), double)),
     Case("a mask for each head", inputs((5, 7, 4, 6), (3, 5, 7), (3, 3), double)),
     Case("a mask for each example, the same for all queries", inputs((5, 7, 4, 6), (3, 1, 1, 7), (3, 3), double)),
     Case("one row of a mask for all", inputs((5, 7, 4, 6), (7,), (3, 3), double)),
     Case("a mask, float32", inputs((6, 4, 3, 2), (6, 4), ()))],
)  # fmt: skip
task.require(
    "the gradients are those of the formula",
    "the derivative of the formula with respect to query, key and value",
    [Case("the gradient of the output, no mask", inputs((2, 3, 4, 5), leading=(), dtype=double), gradients(0)),
     Case("the gradient of the weights, a mask", inputs((3, 4, 5, 2), (3, 4), (), double), gradients(1))],
    [Case("the gradient of the output, a mask", inputs((5, 7, 4, 6), (5, 7), (2,), double), gradients(0))],
)  # fmt: skip
nothing = inputs((3, 4, 5, 2), (3, 4), (2,), double, nothing=1)
task.limits(
    "a query that may attend to nothing, one query, one key, float16, and wrong input",
    [
        Case("a query that may attend to nothing", nothing),
        Case("the gradient of the output, when a query may attend to nothing", nothing, gradients(0)),
        Case("the gradient of the weights, when a query may attend to nothing", nothing, gradients(1)),
        Case("float16, a mask", inputs((3, 7, 5, 6), (3, 7), dtype=torch.float16)),
        Case("one query", inputs((1, 6, 4, 5), (1, 6))),
        Case("one key", inputs((5, 1, 4, 2))),
        Case("d_k = 1 and d_v = 1", inputs((3, 5, 1, 1))),
        Case("a mask that allows nothing", lambda draw: (*inputs((3, 5, 2, 2))(draw), torch.zeros(3, 5).bool())),
        refusal("a key with another d_k", lambda draw: (draw(3, 4), draw(5, 3), draw(5, 2))),
        refusal("a value with another length", lambda draw: (draw(3, 4), draw(5, 4), draw(4, 2))),
        refusal("a mask of numbers", lambda draw: (draw(3, 4), draw(5, 4), draw(5, 2), torch.ones(3, 5))),
        refusal("a mask that does not fit",
                lambda draw: (draw(3, 4), draw(5, 4), draw(5, 2), torch.ones(5, 3).bool())),
    ],
    "zeros for a query that may attend to nothing, with finite gradients; otherwise the formula of the task",
)  # fmt: skip
