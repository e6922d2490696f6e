"""Task `attention_backward` of exercise 05, and its stretch, the same in blocks."""

import torch

from course_checks.cases import GRADIENT, Case, refusal
from course_checks.softmax_jacobian.shared import (
    AVERAGE,
    DERIVATIVES,
    PRODUCT,
    READY_MADE,
    UNIT,
    by_autograd,
    softmax_backward,
)
from course_checks.task import Task
from course_checks.words import Wrong

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


@task.pipeline(
    average=AVERAGE,
    product=PRODUCT,
    scale_back={
        "missing": Wrong("the division by the scale is missing on the way back", "too large by the scale", _CHAIN),
        "squared": Wrong("it is divided by the scale twice on the way back", "too small by the scale", _CHAIN),
        "times": Wrong("it is multiplied by the scale on the way back", "", _CHAIN),
        "value too": Wrong("the gradient of the value is divided by the scale too", "",
                           "the value does not go through the scores"),
        "key only": Wrong("only the gradient of the key is divided by the scale, not that of the query", "", _CHAIN),
    },
    scale_forward={"missing": Wrong("the scores are not divided by the scale on the way forward", "",
                                    "the weights are those of softmax(q . k / scale)"),
                   "d_k": Wrong("the scores are divided by sqrt(d_k), not by the argument `scale`", "",
                                "which argument is the c of the formula?")},
    results={
        "order": Wrong("the three results come in another order", "", "query, key, value"),
        "query with query": Wrong("the gradient of the query uses the query, that of the key the key", "", _SHAPES),
        "value not transposed": Wrong("the weights are not transposed in the gradient of the value", "", _SHAPES),
        "key not transposed": Wrong("the gradient of the scores is not transposed in the gradient of the key", "",
                                    _SHAPES),
        "value with gradient": Wrong("the gradient of the value uses the gradient of the scores, not the weights", "",
                                     "the output is weights times value"),
        "weights of key": Wrong("the gradient of the key uses the weights, not the gradient of the scores", "",
                                _SHAPES),
    },
)  # fmt: skip
def attention_backward(
    query, key, value, grad_output, scale, *, average="under the weights", product="right", scale_back="once",
    scale_forward="argument", results="right",
):  # fmt: skip
    """Go back with one choice for each step."""
    scale = query.shape[-1] ** 0.5 if scale_forward == "d_k" else scale
    divisor = 1 if scale_forward == "missing" else scale
    weights = torch.softmax(query @ key.transpose(-2, -1) / divisor, -1)
    grad_scores = softmax_backward(weights, grad_output @ value.transpose(-2, -1), average, product)
    back = grad_scores / {"missing": 1, "squared": scale**2, "times": 1 / scale}.get(scale_back, scale)
    for_query = grad_scores if scale_back == "key only" else back
    for_key = weights if results == "weights of key" else back
    for_key = for_key if results == "key not transposed" else for_key.transpose(-2, -1)
    for_value = grad_scores if results == "value with gradient" else weights
    for_value = for_value if results == "value not transposed" else for_value.transpose(-2, -1)
    grad_query = for_query @ (query if results == "query with query" else key)
    grad_key = for_key @ (key if results == "query with query" else query)
    grad_value = for_value @ grad_output
    grad_value = grad_value / scale if scale_back == "value too" else grad_value
    return (grad_value, grad_key, grad_query) if results == "order" else (grad_query, grad_key, grad_value)


def inputs(m, n, d_k, d_v, scale, leading=(), size=1.0, dtype=torch.float64):
    """Draw query, key, value, the gradient of the output, and name the scale."""
    return lambda draw: (
        draw(*leading, m, d_k, scale=size, dtype=dtype), draw(*leading, n, d_k, scale=size, dtype=dtype),
        draw(*leading, n, d_v, dtype=dtype), draw(*leading, m, d_v, dtype=dtype), scale,
    )  # fmt: skip


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
    [Case("3 queries, 5 keys, d_k = 4, d_v = 6, scale 2.5", inputs(3, 5, 4, 6, 2.5)),
     Case("4 queries, 4 keys, d_k = d_v = 4, batch of 2, scale 3", inputs(4, 4, 4, 4, 3.0, (2,))),
     Case("scores of magnitude 1 000", inputs(3, 5, 4, 6, 2.0, size=25.0))],
    [Case("other sizes", inputs(5, 8, 9, 3, 3.0)), Case("batch and heads", inputs(5, 7, 4, 6, 1.5, (2, 3))),
     Case("all sizes equal", inputs(3, 3, 3, 3, 2.5, (3, 3))), Case("a small scale", inputs(4, 6, 5, 2, 0.5, (2,)))],
)  # fmt: skip
task.require(
    "they can be differentiated again",
    "the derivative of the results",
    [Case("the gradient of all three results", inputs(2, 3, 4, 2, 1.5), again)],
    [Case("the gradient, with a batch", inputs(3, 2, 2, 3, 2.0, (2,)), again)],
)
ones = torch.ones
task.limits(
    "one query, one key, d_k = 1, float32, and wrong input",
    [
        Case("one query", inputs(1, 6, 4, 5, 0.5)),
        Case("one key", inputs(5, 1, 4, 2, 2.0)),
        Case("d_k = d_v = 1", inputs(3, 5, 1, 1, 1.0)),
        Case("float32", inputs(3, 5, 4, 6, 2.0, dtype=torch.float32)),
        refusal("a key with another d_k", (ones(3, 4), ones(5, 3), ones(5, 2), ones(3, 2), 2.0)),
        refusal("a value with another length", (ones(3, 4), ones(5, 4), ones(4, 2), ones(3, 2), 2.0)),
        refusal("a gradient of another width", (ones(3, 4), ones(5, 4), ones(5, 2), ones(3, 3), 2.0)),
        refusal("a scale of 0", (ones(3, 4), ones(5, 4), ones(5, 2), ones(3, 2), 0.0)),
    ],
)


@in_blocks.oracle
def whole(query, key, value, grad_output, scale, block_size):
    """Look at all keys at once."""
    return right(query, key, value, grad_output, scale)


@in_blocks.pipeline(
    weights={
        "block": Wrong("the weights of a block sum to 1: its own sum is taken, not that of all blocks", "",
                       "one number for each query, from a first pass over all blocks"),
    },
    average={
        "block": Wrong("the average is that of a block, not of all keys", "", "grad_output . output knows all keys"),
        "none": Wrong("no average is subtracted", "", "show the formula of the task first"),
    },
    scale={"missing": Wrong("the division by the scale is missing on the way back", "", _CHAIN)},
)  # fmt: skip
def attention_backward_in_blocks(
    query, key, value, grad_output, scale_, block_size, *, weights="all", average="all", scale="divided"
):
    """Go through the blocks with one choice for each step."""
    grad_query, grad_keys, grad_values = 0.0, [], []
    every = query @ key.transpose(-2, -1) / scale_
    log_total = every.logsumexp(-1, keepdim=True)
    mean = (grad_output * ((every - log_total).exp() @ value)).sum(-1, keepdim=True)
    for keys, values in zip(key.split(block_size, -2), value.split(block_size, -2), strict=True):
        scores = query @ keys.transpose(-2, -1) / scale_
        p = torch.softmax(scores, -1) if weights == "block" else (scores - log_total).exp()
        g = grad_output @ values.transpose(-2, -1)
        subtracted = {"block": (p * g).sum(-1, keepdim=True), "none": 0.0}.get(average, mean)
        back = p * (g - subtracted) / (1 if scale == "missing" else scale_)
        grad_query = grad_query + back @ keys
        grad_keys.append(back.transpose(-2, -1) @ query)
        grad_values.append(p.transpose(-2, -1) @ grad_output)
    return grad_query, torch.cat(grad_keys, -2), torch.cat(grad_values, -2)


in_blocks.require(
    "the gradients do not depend on the size of the blocks",
    EXPECTED,
    [Case(f"7 keys in blocks of {size}", lambda draw, size=size: (*inputs(3, 7, 4, 5, 2.0, (2,))(draw), size))
     for size in (7, 3, 1)],
)  # fmt: skip
