"""Task `scaled_dot_product_attention` of exercise 04."""

import torch

from course_checks.cases import Case, drawn, gradients, refusal, without_keys
from course_checks.scaled_dot_product_attention import shared
from course_checks.scaled_dot_product_attention.shared import double
from course_checks.task import Task

task = Task("scaled_dot_product_attention", shared.UNIT, shared.READY_MADE)
task.oracle(shared.right_pair)
shared.edit_weights(task)
task.edit(shared.HIDE, shared.MASK)
shared.edit_after(task, shared.MASK_AFTER)
# fmt: off
task.edit(" / math.sqrt(d_k)", {" / math.sqrt(value.shape[-1])": (
    "the scores are divided by the root of d_v, the width of the values", "which size do query and key share?")})
task.edit("query.shape[-1]", {"query.shape[1]": (
    "d_k is read from dimension 1, which is the width only where there are no leading dimensions",
    "in which dimension does the width stand, counted from the end?")})
task.edit("return weights @ value, weights", {
    "return weights @ key, weights": ("weights times key: the value is not used",
        "the keys say where to look, the values say what is found there", "the output is a weighted mean of the keys"),
    "return softmax(query @ key.transpose(-2, -1) / math.sqrt(d_k)) @ value, weights": ("the output is computed from "
        "weights that know nothing of the mask", "compute the weights once, and use the same ones for both results",
        "the weights are right, but the output is that without a mask"),
    "return torch.ones_like(weights) / key.shape[-2] @ value, weights": ("the weights are not used for the output",
        "multiply the weights with the value", "every query gets the plain mean of the values"),
    "return weights @ value / math.sqrt(d_k), weights": ("the division by sqrt(d_k) is applied to the output too",
        "scale the scores, before softmax, and nothing else", "the output is too small"),
    "return weights.transpose(-2, -1) @ value, weights": (
        "the weights are transposed before the product with the value",
        "rows of the weights belong to queries: `weights @ value`"),
    "return scores @ value, weights": ("the scores are multiplied with the value, not the weights",
        "softmax comes in between"),
    "return weights, weights @ value": ("the two results come in the wrong order", "output first, then the weights"),
    "return weights @ value, scores": ("the scores are returned, not the weights", "return what multiplies the value",
        "the output is right, the weights are not"),
    "return weights @ value": ("only the output is returned", "the task asks for a pair"),
})
task.edit("softmax(scores)", {"torch.softmax(scores, -1)": (
    "a query that may attend to nothing has a row of nothing but -inf: softmax of it is 0 / 0",
    "treat the row before or after softmax so that its weights are 0", "the row is NaN")})
task.edit("-math.inf", {"-1e9": ("-1e9 in the place of -inf makes all scores of a row without keys the same",
    "fill in -inf, and give a row without keys the weights 0",
    "a query that may attend to nothing attends to everything equally")})
task.edit_places({"softmax(scores)": "torch.softmax(scores, -1)", "value, weights": "value, weights.nan_to_num()"},
                 "the output is computed before the NaN of the empty row is fixed",
                 "fix the weights first, then multiply", "the output is NaN")
# fmt: on


def loud(draw):
    """Draw inputs in which a hidden key and its value are large."""
    query, key, value = drawn("2 5 4; 2 7 4; 2 7 6", dtype=double)(draw)
    mask = torch.ones(5, 7, dtype=torch.bool)
    mask[:, 4] = False
    key[..., 4, :], value[..., 4, :] = 1e5 * key[..., 4, :], 1e3 * value[..., 4, :]  # e^-800 is 0 in float64
    return query, key, value, mask


sizes, wide = "batch 2, 3 queries, 7 keys, d_k = 5, d_v = 6", "3 3 5 4; 3 3 7 4; 3 3 7 6; "
PAIR = "the output and the weights: softmax, over the keys that may be attended to, of q . k / sqrt(d_k)"
task.require("output and weights without a mask", PAIR,
             [Case(f"no mask; {sizes}", drawn("2 3 5; 2 7 5; 2 7 6")),
              Case("4 queries and 4 keys, d_k = 6, d_v = 3, no batch", drawn("4 6; 4 6; 4 3")),
              Case("large queries and keys", drawn("2 3 16; 2 7 16; 2 7 2", scale=30.0))],
             [Case("no mask, no leading dimension", drawn("5 9; 8 9; 8 3", dtype=double)),
              Case("no mask, batch and heads", drawn("2 3 5 4; 2 3 7 4; 2 3 7 6", dtype=double)),
              Case("no mask, all sizes equal", drawn("4 4 4; 4 4 4; 4 4 4", dtype=double)),
              Case("no mask, large queries and keys", drawn("5 4; 7 4; 7 6", dtype=double, scale=60.0))])  # fmt: skip
task.require("a mask hides keys, and the others share the whole weight", PAIR,
             [Case(f"a mask of shape (3, 7); {sizes}", drawn("2 3 5; 2 7 5; 2 7 6; mask: 3 7")),
              Case("a mask of shape (3, 1, 5, 7), one for each example; 3 heads", drawn(wide + "mask: 3 1 5 7")),
              Case("a hidden key with large numbers", loud),
              Case("as many queries as keys, a mask of shape (4, 4)", drawn("2 4 5; 2 4 5; 2 4 3; mask: 4 4"))],
             [Case("a mask, batch and heads", drawn("2 3 5 4; 2 3 7 4; 2 3 7 6; mask: 2 3 5 7", dtype=double)),
              Case("a mask for each head", drawn(wide + "mask: 3 5 7", dtype=double)),
              Case("a mask for each example, the same for all queries", drawn(wide + "mask: 3 1 1 7", dtype=double)),
              Case("one row of a mask for all", drawn(wide + "mask: 7", dtype=double)),
              Case("a mask, float32", drawn("6 3; 4 3; 4 2; mask: 6 4"))])  # fmt: skip
task.require(
    "the gradients are those of the formula",
    "the derivative of the formula with respect to query, key and value",
    [Case("the gradient of the output, no mask", drawn("2 4; 3 4; 3 5", dtype=double), gradients(0)),
     Case("the gradient of the weights, a mask", drawn("3 5; 4 5; 4 2; mask: 3 4", dtype=double), gradients(1))],
    [Case("the gradient of the output, a mask", drawn("2 5 4; 2 7 4; 2 7 6; mask: 5 7", dtype=double), gradients(0))],
)  # fmt: skip
nothing = without_keys(1, "2 3 5; 2 4 5; 2 4 2; mask: 3 4")
task.limits("a query that may attend to nothing, one query, one key, float16, and wrong input",
            [Case("a query that may attend to nothing", nothing),
             Case("the gradient of the output, when a query may attend to nothing", nothing, gradients(0)),
             Case("the gradient of the weights, when a query may attend to nothing", nothing, gradients(1)),
             Case("float16, a mask", drawn("2 3 5; 2 7 5; 2 7 6; mask: 3 7", dtype=torch.float16)),
             Case("one query", drawn("2 1 4; 2 6 4; 2 6 5; mask: 1 6")), Case("one key", drawn("2 5 4; 2 1 4; 2 1 2")),
             Case("d_k = 1 and d_v = 1", drawn("2 3 1; 2 5 1; 2 5 1")),
             Case("a mask that allows nothing", drawn("2 3 2; 2 5 2; 2 5 2", torch.zeros(3, 5).bool())),
             refusal("a key with another d_k", drawn("3 4; 5 3; 5 2")),
             refusal("a value with another length", drawn("3 4; 5 4; 4 2")),
             refusal("a mask of numbers", drawn("3 4; 5 4; 5 2; 3 5")),
             refusal("a mask that does not fit", drawn("3 4; 5 4; 5 2; mask: 5 3"))],
            "zeros for a query that may attend to nothing, with finite gradients; otherwise the formula of the task"
            )  # fmt: skip
