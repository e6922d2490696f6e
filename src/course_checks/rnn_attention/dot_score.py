"""Task `dot_score` of exercise 03."""

import torch
from torch.nn import functional as F

from course_checks.cases import Case, gradients, refusal
from course_checks.rnn_attention.shared import READY_MADE, UNIT
from course_checks.task import Task
from course_checks.words import Wrong

task = Task("dot_score", UNIT, READY_MADE)

_HAND = "work out two words of width 2 by hand, and compare"
_ALONE = "the task asks for the dot product alone"


@task.oracle
def right(query, keys):
    """Go through sentences and words."""
    rows = [torch.stack([q.dot(key) for key in words]) for q, words in zip(query, keys, strict=True)]
    return torch.stack(rows)


@task.pipeline(
    product={
        "cosine": Wrong("query and keys are divided by their lengths: the cosine", "all numbers lie between -1 and 1",
                        _ALONE),
        "half cosine": Wrong("the keys are divided by their lengths", "", _ALONE),
        "no sign": Wrong("the sign is lost: an absolute value or a square", "no number is negative", _HAND),
        "distance": Wrong("a squared distance, not a product", "all numbers are positive", _HAND),
        "difference": Wrong("the query is subtracted from the keys or they from it, not multiplied", "", _HAND),
        "sum": Wrong("query and keys are added, not multiplied", "", _HAND),
        "negative": Wrong("the sign is turned round", "every number has the wrong sign", _HAND),
        "by length": Wrong("query `(batch, d)` broadcasts along the length, not along the batch",
                           "word j is compared with the query of sentence j", "the query needs a dimension for the "
                           "length: at which place of its shape?"),
        "every query": Wrong("every query is compared with the keys of every sentence", "",
                             "each sentence has a query of its own"),
        "first query": Wrong("the query of the first sentence is used for all", "", "each sentence has its own query"),
        "summed keys": Wrong("the keys of all sentences are summed: `einsum` sums over a letter that is missing behind "
                             "the "
                             "arrow", "all sentences share their keys", "each sentence has letters of its own: which "
                             "letter of the keys is that of the batch?"),
        "summed queries": Wrong("the queries of all sentences are summed: `einsum` sums over a letter that is missing "
                                "behind the arrow", "all sentences share their queries", "each sentence has a query of "
                                "its own: which letter of the keys is that of the batch?"),
        "rolled": Wrong("each sentence is compared with the query of another one", "", _HAND),
    },
    over={
        "length": Wrong("the sum runs over the words, not over the columns", "", "over what is g . h a sum?"),
        "nothing": Wrong("the products are not summed", "there is a number for every column of every word", _HAND),
        "mean": Wrong("the mean over the columns is taken, not the sum", "the scores are too small by the factor d",
                      _ALONE),
        "largest": Wrong("the largest product is taken, not the sum", "", _HAND),
    },
    after={
        "scaled": Wrong("the scores are divided by sqrt(d), as in a Transformer",
                        "the scores are too small by the factor sqrt(d)", _ALONE),
        "times": Wrong("the scores are multiplied by sqrt(d)", "", _ALONE),
        "softmax": Wrong("softmax is applied: these are weights, not scores", "each row sums to 1", _ALONE),
        "softmax 0": Wrong("softmax is applied, and over the batch", "each column sums to 1", _ALONE),
        "sigmoid": Wrong("a sigmoid is applied", "all numbers lie between 0 and 1", _ALONE),
        "tanh": Wrong("tanh is applied", "all numbers lie between -1 and 1", _ALONE),
        "not squeezed": Wrong("a dimension of size 1 is left at the end", "", "take it away with `squeeze(-1)`"),
        "not squeezed 1": Wrong("a dimension of size 1 is left in the middle", "", "take it away with `squeeze(1)`"),
        "squeezed": Wrong("`squeeze()` without a dimension takes away every dimension of size 1, the batch too", "",
                          "say which dimension should go"),
        "turned": Wrong("length comes first, then the batch", "the result is transposed", "compare the shape"),
    },
)  # fmt: skip
def dot_score(query, keys, *, product="own", over="d", after="plain"):
    """Compute the scores with one choice for each step."""
    chosen = {"rolled": query.roll(1, 0), "first query": query[:1].expand_as(query)}.get(product, query)
    chosen = query.sum(0, keepdim=True).expand_as(query) if product == "summed queries" else chosen
    keys = keys.sum(0, keepdim=True).expand_as(keys) if product == "summed keys" else keys
    if product == "cosine":
        chosen = F.normalize(chosen, dim=-1)
    if product in ("cosine", "half cosine"):
        keys = F.normalize(keys, dim=-1)
    if product == "every query":
        parts = chosen[:, None, None] * keys  # (batch, batch, length, d)
    elif product in ("distance", "difference", "sum"):
        parts = keys + (1 if product == "sum" else -1) * chosen.unsqueeze(1)
        parts = parts.square() if product == "distance" else parts
    else:
        parts = keys * chosen.unsqueeze(0 if product == "by length" else 1)
    parts = -parts if product == "negative" else parts
    if over == "nothing":
        scores = parts
    else:
        scores = {"mean": parts.mean, "largest": parts.amax}.get(over, parts.sum)(-2 if over == "length" else -1)
    scores = scores.abs() if product == "no sign" else scores
    root = query.shape[-1] ** 0.5
    changes = {"scaled": lambda x: x / root, "times": lambda x: x * root, "softmax": lambda x: x.softmax(-1),
               "softmax 0": lambda x: x.softmax(0), "sigmoid": torch.sigmoid, "tanh": torch.tanh,
               "not squeezed": lambda x: x.unsqueeze(-1), "squeezed": torch.squeeze, "turned": lambda x: x.mT,
               "not squeezed 1": lambda x: x.unsqueeze(1)}  # fmt: skip
    return changes.get(after, lambda x: x)(scores)


def inputs(batch, length, d, dtype=torch.float64):
    """Draw queries and keys."""
    return lambda draw: (draw(batch, d, dtype=dtype), draw(batch, length, d, dtype=dtype))


task.require(
    "the dot product of each query with the keys of its own sentence",
    "a number for each word of each sentence: the sum over d of query times key",
    [Case("as many sentences as words, 3; d = 5", inputs(3, 3, 5)),
     Case("batch 2, length 4, d = 3", inputs(2, 4, 3, torch.float32)), Case("one sentence", inputs(1, 4, 3))],
    [Case("one sentence of other sizes", inputs(1, 6, 4)), Case("batch 5, length 7, d = 2", inputs(5, 7, 2)),
     Case("all sizes equal", inputs(4, 4, 4)), Case("float32", inputs(3, 6, 5, torch.float32))],
    _HAND,
)  # fmt: skip
task.require(
    "the gradient is that of the formula",
    "the derivative with respect to query and keys",
    [Case("the gradient, batch 2, length 3, d = 4", inputs(2, 3, 4), gradients())],
    [Case("the gradient, other sizes", inputs(3, 5, 2), gradients())],
)
task.limits(
    "one word, d = 1, float16, and wrong input",
    [
        Case("one word in each sentence", inputs(3, 1, 4)),
        Case("d = 1", inputs(2, 5, 1)),
        Case("float16", inputs(2, 4, 3, torch.float16)),
        refusal("a query without a batch", lambda draw: (draw(3), draw(2, 4, 3))),
        refusal("keys without a length", lambda draw: (draw(2, 3), draw(2, 3))),
        refusal("keys of one sentence, which would broadcast", lambda draw: (draw(2, 3), draw(1, 4, 3))),
        refusal("a query of one number, which would broadcast", lambda draw: (draw(2, 1), draw(2, 4, 3))),
    ],
)
