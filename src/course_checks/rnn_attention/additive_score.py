"""Task `additive_score` of exercise 03."""

import torch
from torch.nn import functional as F

from course_checks.cases import Case, gradients, refusal
from course_checks.rnn_attention.shared import READY_MADE, UNIT
from course_checks.task import Task
from course_checks.words import Wrong

task = Task("additive_score", UNIT, READY_MADE)

_LINE = "compare your line with the formula, from the inside to the outside"
_SQUARE = "here all sizes are equal, so that every product runs: write the shapes down with d_q, d_k and d_a"
_LENGTH = "the query's part needs a dimension for the length: at which place of its shape?"


@task.oracle
def right(query, keys, w_query, w_key, v):
    """Compute the scores as Luong et al. write them: one matrix times query and key, one above the other."""
    both = torch.cat([query.unsqueeze(1).expand(-1, keys.shape[1], -1), keys], dim=-1)
    return F.linear(F.linear(both, torch.cat([w_query, w_key], dim=1)).tanh(), v[None]).squeeze(-1)


@task.pipeline(
    matrices={
        "exchanged": Wrong("the two matrices are exchanged", "right shapes, other scores", _SQUARE),
        "query turned": Wrong("`w_query` is multiplied from the wrong side, or transposed", "right shapes, other "
                              "scores", _SQUARE),
        "key turned": Wrong("`w_key` is multiplied from the wrong side, or transposed", "right shapes, other scores",
                            _SQUARE),
        "both turned": Wrong("both matrices are multiplied from the wrong side, or transposed",
                             "right shapes, other scores", _SQUARE),
        "one": Wrong("`w_query` is used for the keys too", "right shapes, other scores", _SQUARE),
        "one key": Wrong("`w_key` is used for the query too", "right shapes, other scores", _SQUARE),
        "no query": Wrong("the query is not multiplied by `w_query`", "", _LINE),
        "no key": Wrong("the keys are not multiplied by `w_key`", "", _LINE),
    },
    parts={
        "times": Wrong("the two parts are multiplied, not added", "", _LINE),
        "minus": Wrong("the two parts are subtracted, not added", "", _LINE),
        "key alone": Wrong("the part of the query is lost", "the scores do not depend on the query", _LINE),
        "query alone": Wrong("the part of the keys is lost", "all scores of a row are equal", _LINE),
        "by length": Wrong("the query's part `(batch, d_a)` broadcasts along the length, not along the batch",
                           "word j is compared with the query of sentence j", _LENGTH),
        "every query": Wrong("every query meets the keys of every sentence", "", _LENGTH),
    },
    inner={
        "none": Wrong("tanh is missing; then the query adds the same number to every score of a row, and softmax does "
                      "not see it", "the scores are those of a linear function", _LINE),
        "outside": Wrong("tanh comes after `v`, not before it", "all scores lie between -1 and 1", _LINE),
        "each": Wrong("tanh is taken of each part on its own, and then they are added",
                      "the score is a sum of one number for the query and one for the key", _LINE),
        "sigmoid": Wrong("sigmoid in the place of tanh", "", _LINE),
        "relu": Wrong("relu in the place of tanh", "", _LINE),
        "gelu": Wrong("gelu in the place of tanh", "", _LINE),
        "softmax": Wrong("softmax over d_a in the place of tanh", "", _LINE),
        "twice": Wrong("tanh is applied twice before `v`", "", _LINE),
        "keys only": Wrong("tanh is taken of the keys' part alone", "", _LINE),
        "query only": Wrong("tanh is taken of the query's part alone", "", _LINE),
    },
    outer={
        "sum": Wrong("the sum over d_a is taken without `v`", "the scores do not depend on `v`", _LINE),
        "inside": Wrong("`v` is multiplied in before tanh", "", _LINE),
        "mean": Wrong("a mean over d_a in the place of `v`", "the scores do not depend on `v`", _LINE),
        "tanh": Wrong("tanh is applied a second time, after `v`", "all scores lie between -1 and 1", _LINE),
        "weights": Wrong("softmax is applied: these are weights, not scores", "each row sums to 1", _LINE),
        "scaled": Wrong("the scores are divided by sqrt(d_a)", "the scores are too small", _LINE),
        "averaged": Wrong("the mean of v times tanh, not the sum", "the scores are too small", _LINE),
        "not summed": Wrong("the products with `v` are not summed", "", "`v` times a vector is one number"),
        "not squeezed": Wrong("a dimension of size 1 is left at the end", "", "take it away with `squeeze(-1)`"),
        "over length": Wrong("the sum with `v` runs over the words, or `v` meets them", "",
                             "`v` has one number for each of the d_a columns"),
        "turned": Wrong("length comes first, then the batch", "the result is transposed", "compare the shape"),
    },
)  # fmt: skip
def additive_score(query, keys, w_query, w_key, v, *, matrices="each", parts="added", inner="tanh", outer="v"):
    """Compute the scores with one choice for each step."""
    w_query, w_key = {"exchanged": (w_key, w_query), "query turned": (w_query.T, w_key), "one": (w_query, w_query),
                      "key turned": (w_query, w_key.T), "both turned": (w_query.T, w_key.T),
                      "one key": (w_key, w_key)}.get(matrices, (w_query, w_key))  # fmt: skip
    of_query = query if matrices == "no query" else query @ w_query.T
    of_keys = keys if matrices == "no key" else keys @ w_key.T
    of_query = (
        of_query if parts == "by length" else of_query[:, None, None] if parts == "every query" else of_query[:, None]
    )
    if inner in ("each", "query only"):
        of_query = of_query.tanh()
    if inner in ("each", "keys only"):
        of_keys = of_keys.tanh()
    both = {"times": lambda: of_query * of_keys, "minus": lambda: of_query - of_keys,
            "key alone": lambda: of_keys + 0 * of_query,
            "query alone": lambda: of_query + 0 * of_keys}.get(parts, lambda: of_query + of_keys)()  # fmt: skip
    both = both * v if outer == "inside" else both
    if inner in ("tanh", "twice"):
        both = both.tanh()
    both = {"sigmoid": torch.sigmoid, "relu": torch.relu, "gelu": F.gelu, "twice": torch.tanh,
            "softmax": lambda x: x.softmax(-1)}.get(inner, lambda x: x)(both)  # fmt: skip
    ends = {"sum": lambda: both.sum(-1), "inside": lambda: both.sum(-1),
            "mean": lambda: both.mean(-1), "not summed": lambda: both * v,
            "not squeezed": lambda: both @ v[:, None], "averaged": lambda: (both * v).mean(-1),
            "over length": lambda: (both * v).sum(1)}  # fmt: skip
    scores = ends.get(outer, lambda: both @ v)()
    scores = scores.tanh() if (inner == "outside") != (outer == "tanh") else scores
    return {"weights": lambda x: x.softmax(-1), "scaled": lambda x: x / len(v) ** 0.5,
            "turned": lambda x: x.mT}.get(outer, lambda x: x)(scores)  # fmt: skip


def inputs(batch, length, d_q, d_k, d_a, dtype=torch.float64, scale=1.0):
    """Draw a query, keys, two matrices and a vector."""
    return lambda draw: (
        draw(batch, d_q, dtype=dtype, scale=scale), draw(batch, length, d_k, dtype=dtype),
        draw(d_a, d_q, dtype=dtype), draw(d_a, d_k, dtype=dtype), draw(d_a, dtype=dtype),
    )  # fmt: skip


def other(place, change):
    """Draw inputs of which one is changed."""

    def make(draw):
        drawn = list(inputs(2, 4, 3, 5, 6)(draw))
        drawn[place] = change(drawn[place])
        return tuple(drawn)

    return make


task.require(
    "v times tanh of the sum of both parts",
    "a number for each word: v . tanh(W_g g + W_h h_j)",
    [Case("all sizes equal 4, so that wrong products run too", inputs(4, 4, 4, 4, 4)),
     Case("batch 2, length 4, d_q = 3, d_k = 5, d_a = 6", inputs(2, 4, 3, 5, 6, torch.float32)),
     Case("one sentence", inputs(1, 5, 4, 3, 2)),
     Case("large queries", inputs(2, 4, 3, 5, 6, scale=50.0))],
    [Case("batch 5, length 3, d_q = 6, d_k = 2, d_a = 4", inputs(5, 3, 6, 2, 4)),
     Case("all sizes equal 3", inputs(3, 3, 3, 3, 3)), Case("one sentence of other sizes", inputs(1, 7, 2, 6, 3)),
     Case("other large queries", inputs(3, 5, 4, 2, 3, scale=50.0)),
     Case("float32", inputs(3, 7, 5, 4, 6, torch.float32))],
    _LINE,
)  # fmt: skip
task.require(
    "the gradient is that of the formula",
    "the derivative with respect to query, keys and weights",
    [Case("the gradient, batch 2, length 3", inputs(2, 3, 4, 2, 3), gradients())],
    [Case("the gradient, other sizes", inputs(3, 2, 2, 3, 5), gradients())],
)
task.limits(
    "one word, d_a = 1, float16, and wrong input",
    [
        Case("one word in each sentence", inputs(3, 1, 2, 4, 5)),
        Case("d_a = 1", inputs(2, 6, 3, 4, 1)),
        Case("float16", inputs(2, 4, 3, 5, 6, torch.float16, 0.3)),
        refusal("a query without a batch", other(0, lambda query: query[0])),
        refusal("keys of one sentence, which would broadcast", other(1, lambda keys: keys[:1])),
        refusal("a transposed w_query", other(2, lambda weight: weight.T)),
        refusal("a w_key for another width", other(3, lambda weight: weight[:, :4])),
        refusal("a v of one number, which would broadcast", other(4, lambda v: v[:1])),
    ],
)
