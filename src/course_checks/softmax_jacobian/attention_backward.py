"""Task `attention_backward` of exercise 05, and its stretch, the same in blocks."""

from itertools import permutations

import torch

from course_checks.cases import GRADIENT, Case, drawn, refusal
from course_checks.softmax_jacobian.shared import BACKWARD, DERIVATIVES, READY_MADE, UNIT, by_autograd, double
from course_checks.task import Task

task = Task("attention_backward", UNIT, (*DERIVATIVES, *READY_MADE))
in_blocks = Task("attention_backward_in_blocks", UNIT, (*DERIVATIVES, *READY_MADE))
_CHAIN = "the scores are q . k / scale: both q and k receive the factor 1 / scale"
_SHAPES = "write the shape of each of the four factors: which product has the shape of the tensor itself?"


@task.oracle
def right(query, key, value, grad_output, scale):
    """Ask autograd."""

    def attend(query, key, value):
        return torch.softmax(query @ key.transpose(-2, -1) / scale, -1) @ value

    return by_autograd(attend, grad_output, query, key, value)


# fmt: off
for old, wrong in BACKWARD.items():
    task.edit(old, wrong)
task.edit(" / scale\nreturn", {
    "\nreturn": ("the division by the scale is missing on the way back", _CHAIN, "too large by the scale"),
    " / scale**2\nreturn": ("it is divided by the scale twice on the way back", _CHAIN, "too small by the scale"),
    " / query.shape[-1] ** 0.5\nreturn": (
        "on the way back the scores are divided by sqrt(d_k), on the way forward by `scale`", _CHAIN),
    " * scale\nreturn": ("it is multiplied by the scale on the way back", _CHAIN),
})
task.edit("return grad_scores", {"return scale * grad_scores": (
    "only the gradient of the key is divided by the scale, not that of the query", _CHAIN)})
task.edit("query @ key.transpose(-2, -1) / scale", {"query @ key.transpose(-2, -1)": (
    "the scores are not divided by the scale on the way forward", "the weights are those of softmax(q . k / scale)"),
    "query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5": (
    "on the way forward the scores are divided by sqrt(d_k), on the way back by `scale`",
    "the weights are those of softmax(q . k / scale)")})
task.edit("weights = torch", {"scale = query.shape[-1] ** 0.5\nweights = torch": (
    "the scores are divided by sqrt(d_k), not by the argument `scale`", "which argument is the c of the formula?")})
_RESULTS = "grad_scores @ key", "grad_scores.transpose(-2, -1) @ query", "grad_value"
task.edit(f"return {', '.join(_RESULTS)}", {
    f"return {', '.join(order)}": ("the three results come in another order", "query, key, value")
    for order in list(permutations(_RESULTS))[1:]
} | {
    "return grad_scores @ query, grad_scores.transpose(-2, -1) @ key, grad_value": (
        "the gradient of the query uses the query, that of the key the key", _SHAPES),
})
task.edit("weights.transpose(-2, -1) @ grad_output", {"weights @ grad_output": (
    "the weights are not transposed in the gradient of the value", _SHAPES)})
task.edit("grad_scores.transpose(-2, -1) @ query", {
    "grad_scores @ query": ("the gradient of the scores is not transposed in the gradient of the key", _SHAPES),
    "scale * grad_scores.transpose(-2, -1) @ query": (
        "only the gradient of the query is divided by the scale, not that of the key", _CHAIN),
    "weights.transpose(-2, -1) @ query": (
        "the gradient of the key uses the weights, not the gradient of the scores", _SHAPES),
})
task.edit(", grad_value", {", grad_value / scale": (
    "the gradient of the value is divided by the scale too", "the value does not go through the scores"),
} | {f", {factor}grad_scores.transpose(-2, -1) @ grad_output": (
    "the gradient of the value uses the gradient of the scores, not the weights", "the output is weights times value")
    for factor in ("", "scale * ")})
# fmt: on


def again(answer, *arguments):
    """Observe the gradient of the sum of all three results."""
    leaves = [x.detach().clone().requires_grad_() for x in arguments[:4]]
    total = sum(x.sin().sum() for x in answer(*leaves, arguments[4]))
    return dict(zip(("query", "key", "value", "grad_output"), torch.autograd.grad(total, leaves), strict=True))


again.words = GRADIENT
EXPECTED = "the gradients with respect to query, key and value, in this order, each in the shape of its tensor"
task.require(
    "the three gradients",
    EXPECTED,
    [Case("3 queries, 5 keys, d_k = 4, d_v = 6, scale 2.5", drawn("3 4; 5 4; 5 6; 3 6", 2.5, dtype=double)),
     Case("4 queries, 4 keys, d_k = d_v = 4, batch of 2, scale 3", drawn("; ".join(["2 4 4"] * 4), 3.0, dtype=double)),
     Case("scores of magnitude 1 000", drawn("3 4; 5 4; 5 6; 3 6", 2.0, dtype=double, scale=25.0))],
    [Case("other sizes", drawn("5 9; 8 9; 8 3; 5 3", 3.0, dtype=double)),
     Case("batch and heads", drawn("2 3 5 4; 2 3 7 4; 2 3 7 6; 2 3 5 6", 1.5, dtype=double)),
     Case("all sizes equal", drawn("3 3 3 3; 3 3 3 3; 3 3 3 3; 3 3 3 3", 2.5, dtype=double)),
     Case("a small scale", drawn("2 4 5; 2 6 5; 2 6 2; 2 4 2", 0.5, dtype=double))],
)  # fmt: skip
task.require(
    "they can be differentiated again",
    "the derivative of the results",
    [Case("the gradient of all three results", drawn("2 4; 3 4; 3 2; 2 2", 1.5, dtype=double), again)],
    [Case("the gradient, with a batch", drawn("2 3 2; 2 2 2; 2 2 3; 2 3 3", 2.0, dtype=double), again)],
)  # fmt: skip
ones = torch.ones
task.limits("one query, one key, d_k = 1, float32, and wrong input",
            [Case("one query", drawn("1 4; 6 4; 6 5; 1 5", 0.5, dtype=double)),
             Case("one key", drawn("5 4; 1 4; 1 2; 5 2", 2.0, dtype=double)),
             Case("d_k = d_v = 1", drawn("3 1; 5 1; 5 1; 3 1", 1.0, dtype=double)),
             Case("float32", drawn("3 4; 5 4; 5 6; 3 6", 2.0)),
             refusal("a key with another d_k", (ones(3, 4), ones(5, 3), ones(5, 2), ones(3, 2), 2.0)),
             refusal("a value with another length", (ones(3, 4), ones(5, 4), ones(4, 2), ones(3, 2), 2.0)),
             refusal("a gradient of another width", (ones(3, 4), ones(5, 4), ones(5, 2), ones(3, 3), 2.0)),
             refusal("a scale of 0", (ones(3, 4), ones(5, 4), ones(5, 2), ones(3, 2), 0.0))])  # fmt: skip


@in_blocks.oracle
def whole(query, key, value, grad_output, scale, block_size):
    """Look at all keys at once."""
    return right(query, key, value, grad_output, scale)


# fmt: off
_WEIGHTS = "(query @ some_keys.transpose(-2, -1) / scale - log_total).exp()\ngrad_scores"
in_blocks.edit(_WEIGHTS, {"torch.softmax(query @ some_keys.transpose(-2, -1) / scale, -1)\ngrad_scores": (
    "the weights of a block sum to 1: its own sum is taken, not that of all blocks",
    "one number for each query, from a first pass over all blocks")})
in_blocks.edit(" - average", {
    " - (grad_output @ some_values.transpose(-2, -1) * weights).sum(-1, keepdim=True)": (
        "the average is that of a block, not of all keys", "grad_output . output knows all keys"),
    "": ("no average is subtracted", "show the formula of the task first"),
})
in_blocks.edit("grad_query + grad_scores", {"grad_scores": (
    "the gradient of the query is that of the last block alone: each block overwrites it",
    "every block of keys adds its part", "the first of the three is not right")})
in_blocks.edit(") / scale\ngrad_query", {")\ngrad_query": (
    "the division by the scale is missing on the way back", _CHAIN)})
# fmt: on


in_blocks.require("the gradients do not depend on the size of the blocks", EXPECTED,
                  [Case(f"7 keys in blocks of {size}", drawn("2 3 4; 2 7 4; 2 7 5; 2 3 5", 2.0, size, dtype=double))
                   for size in (7, 3, 1)])  # fmt: skip
