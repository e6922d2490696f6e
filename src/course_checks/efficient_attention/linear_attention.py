"""Task `linear_attention` of exercise 17: sums of keys and values in the place of the map."""

import math

import torch
from torch.nn import functional as F

from course_checks.cases import Case, Draw, gradients, refusal
from course_checks.efficient_attention.shared import READY_MADE, UNIT
from course_checks.task import Task
from course_checks.words import Finding, Wrong
from transformer_course.common.memory import Memory

task = Task("linear_attention", UNIT, READY_MADE)

_PHI = "put 0, 1 and -1 into your feature map: it should give 1, 2 and 1/e"
_SUM = "the weights of a query, phi(q) . phi(k_j) / sum, sum to 1: which keys does your sum go over?"
_PAST = "change the last key, and see which outputs change; then change the first one"
MAP = "a number for every query and every key is computed, so that the cost grows with the square of the length"
_MAP_HINT = "write the sum over keys first: phi(q) . (sum of phi(k_j) v_j^T) needs no query to begin with"
_CHUNK = 64
_COLUMNS = Wrong("a cumulative sum runs over columns, not over the positions", "", "print the shape before `cumsum`: "
                 "which "
                 "dimension counts the positions?")  # fmt: skip


@task.oracle
def right(query, key, value, causal=False):
    """Write the weights of every pair down, as the definition says."""
    weights = (F.elu(query) + 1) @ (F.elu(key) + 1).transpose(-2, -1)
    weights = weights.tril() if causal else weights
    total = weights.sum(-1, keepdim=True)
    return weights @ value / total.masked_fill(total == 0, 1.0)


@task.pipeline(
    feature={
        "elu": Wrong("the feature map is elu without the + 1: weights can be negative", "", _PHI),
        "relu": Wrong("the feature map is relu, not elu + 1", "", _PHI),
        "relu + 1": Wrong("the feature map is relu + 1, not elu + 1", "", _PHI),
        "exp": Wrong("the feature map is e^x", "", _PHI),
        "identity": Wrong("there is no feature map: weights can be negative", "", _PHI),
        "query only": Wrong("the keys do not go through the feature map", "", _PHI),
        "key only": Wrong("the queries do not go through the feature map", "", _PHI),
        "elu(x + 1)": Wrong("1 is added before elu, not after it", "", _PHI),
        "softmax": Wrong("softmax in the place of the feature map", "", _PHI),
        "scaled": Wrong("queries are divided by sqrt(d_k) first: this attention has no scale", "", _PHI),
        "value too": Wrong("the values go through the feature map as well", "", "phi stands around q and k"),
    },
    total={
        "none": Wrong("the sum of the weights is not divided by", "", _SUM),
        "all keys": Wrong("in the causal form the sum goes over all keys, also those that come later", "",
                          _SUM),
        "length": Wrong("it is divided by the number of keys, not by the sum of the weights", "", _SUM),
        "product of sums": Wrong("the sum of phi(q) times the sum of all phi(k): the sum of the dot products is phi(q) "
                                 ". "
                                 "(sum of phi(k_j)), column by column", "", _SUM),
        "nan in the gradient": Wrong("0 / 0 is computed, and hidden in the result (`torch.where`, `nan_to_num`): in "
                                     "the "
                                     "gradient it is still NaN", "the gradient holds NaN", "replace the sum where it "
                                     "is "
                                     "0 before you divide"),
        "nan": Wrong("a sum of 0 is divided by: 0 / 0", "numbers are NaN", "what should an output be whose weights "
                     "are all 0? Replace the sum where it is 0"),
        "small number": Wrong("a small number is added to every sum, so that no result is exact", "",
                              "replace the sum only where it is 0"),
        "clamped": Wrong("a small sum is replaced by a larger number (`clamp`), so that the output is too small",
                         "", "replace the sum only where it is 0"),
        "queries": Wrong("the sum goes over the queries, not over the keys", "", _SUM),
    },
    past={
        "all": Wrong("`causal` is not used: every position sees all others", "", _PAST),
        "always": Wrong("`causal` is not used: the future is always hidden", "", "try causal=False"),
        "exchanged": Wrong("`causal` is used the wrong way round", "", "try both values of `causal`"),
        "without the own": Wrong("off by one: a position does not see itself", "", _PAST),
        "future": Wrong("the sums run backwards: positions see what comes later", "", _PAST),
        "chunk alone": Wrong("a chunk forgets the chunks before it: the sums begin at 0 again", "",
                             "what has to go on from chunk to chunk?"),
        "chunk alone, keys": Wrong("the sum of the keys, for the denominator, begins at 0 again in every chunk", "",
                                   "what has to go on from chunk to chunk?"),
        "chunk alone, values": Wrong("the sum of keys times values begins at 0 again in every chunk", "",
                                     "what has to go on from chunk to chunk?"),
        "columns": _COLUMNS, "columns, keys": _COLUMNS, "columns, values": _COLUMNS, "columns of values": _COLUMNS,
        "end of the chunk": Wrong("positions see their whole chunk, also what comes later in it", "", _PAST),
    },
    cost={"map": Wrong(MAP, "", _MAP_HINT)},
)  # fmt: skip
def linear_attention(query, key, value, causal=False, *, feature="elu + 1", total="sum", past="right", cost="linear"):
    """Sum up, with one choice for each part."""
    causal = {"all": False, "always": True, "exchanged": not causal}.get(past, causal)
    if causal and query.shape[-2] != key.shape[-2]:
        causal = False
    if cost == "map":
        return right(query, key, value, causal)
    query, key, value = features(query, key, value, feature)
    leading = torch.broadcast_shapes(query.shape[:-2], key.shape[:-2], value.shape[:-2])
    query, key, value = (x.expand(*leading, *x.shape[-2:]) for x in (query, key, value))
    if not causal:
        numerator = query @ (key.transpose(-2, -1) @ value)
        sums = query @ key.sum(-2).unsqueeze(-1)
        if total == "product of sums":
            sums = query.sum(-1, keepdim=True) * key.sum((-2, -1), keepdim=True)
    else:
        states = up_to(key.unsqueeze(-1) * value.unsqueeze(-2), _OF_STATES.get(past, past))  # (..., length, d_k, d_v)
        numerator = (query.unsqueeze(-2) @ states).squeeze(-2)
        summed = up_to(key.unsqueeze(-1), _OF_KEYS.get(past, past)).squeeze(-1)
        sums = (query * summed).sum(-1, keepdim=True)
        if total == "product of sums":
            sums = query.sum(-1, keepdim=True) * summed.sum(-1, keepdim=True)
        if total == "all keys":
            sums = query @ key.sum(-2).unsqueeze(-1)
    if total == "queries":
        sums = (key @ query.sum(-2).unsqueeze(-1)).mean(-2, keepdim=True)
    if total == "nan in the gradient":
        return torch.where(sums == 0, 0.0, numerator / sums)
    divisors = {"none": torch.ones_like(sums), "length": torch.full_like(sums, key.shape[-2]), "nan": sums,
                "small number": sums + 1e-6, "clamped": sums.clamp(min=1e-6)}  # fmt: skip
    return numerator / divisors.get(total, sums.masked_fill(sums == 0, 1.0))


def features(query, key, value, feature):
    """Apply a feature map."""
    maps = {
        "elu": F.elu,
        "relu": F.relu,
        "relu + 1": lambda x: F.relu(x) + 1,
        "exp": torch.exp,
        "identity": lambda x: x,
        "elu(x + 1)": lambda x: F.elu(x + 1),
        "softmax": lambda x: x.softmax(-1),
    }
    phi = maps.get(feature, lambda x: F.elu(x) + 1)
    scale = math.sqrt(query.shape[-1]) if feature == "scaled" else 1.0
    return (
        query if feature == "key only" else phi(query / scale),
        key if feature == "query only" else phi(key),
        phi(value) if feature == "value too" else value,
    )


# What goes wrong in one of the two sums alone: `up_to` takes the name for it.
_OF_STATES = {"chunk alone, keys": "right", "chunk alone, values": "chunk alone", "columns, keys": "right",
              "columns, values": "columns"}  # fmt: skip
_OF_KEYS = {"chunk alone, keys": "chunk alone", "chunk alone, values": "right", "columns, keys": "columns",
            "columns, values": "right", "columns of values": "right"}  # fmt: skip


def up_to(x, past):
    """Sum x (..., length, a, b) up over the positions that each position sees."""
    if past in ("columns", "columns of values"):
        return x.cumsum(-2 if past == "columns" else -1)
    if past == "without the own":
        return x.cumsum(-3) - x
    if past == "future":
        return x.flip(-3).cumsum(-3).flip(-3)
    if past == "chunk alone":
        return torch.cat([part.cumsum(-3) for part in x.split(_CHUNK, -3)], -3) if x.shape[-3] else x
    if past == "end of the chunk":
        last = (torch.arange(x.shape[-3]) // _CHUNK * _CHUNK + _CHUNK - 1).clamp(max=x.shape[-3] - 1)
        return x.cumsum(-3)[..., last, :, :]
    return x.cumsum(-3)


def inputs(sizes, causal=None, leading=(2,), dtype=torch.float64, silent=None):
    """Draw query, key, value of sizes (m, n, d_k, d_v); the weights of the queries ``silent`` are all 0."""
    m, n, d_k, d_v = sizes

    def make(draw):
        query = draw(*leading, m, d_k, dtype=dtype)
        if silent is not None:
            query[..., silent, :] = -1e4
        drawn = query, draw(*leading, n, d_k, dtype=dtype), draw(*leading, n, d_v, dtype=dtype)
        return drawn if causal is None else (*drawn, causal)

    return make


def quiet(sizes, causal=None, shift=-12.0):
    """Draw query, key, value whose weights are all small, and not 0."""

    def make(draw):
        query, key, *rest = inputs(sizes, causal)(draw)
        return query + shift, key + shift, *rest

    return make


EXPECTED = "the mean of the values, weighted by phi(q) . phi(k_j), with phi(x) = elu(x) + 1"
task.require(
    "every query weighs all keys",
    EXPECTED,
    [Case("3 queries, 7 keys, d_k = 4, d_v = 5", inputs((3, 7, 4, 5))),
     Case("6 positions, batch and heads, causal=False", inputs((6, 6, 3, 3), False, (2, 3)))],
    [Case("no leading dimension", inputs((4, 9, 5, 2), leading=())),
     Case("as many of everything", inputs((4, 4, 4, 4), False, (4,)))],
    _PHI,
)  # fmt: skip
task.require(
    "with causal, every query weighs the keys up to its own position",
    f"{EXPECTED}, over the positions up to the own one",
    [Case("6 positions, causal", inputs((6, 6, 4, 3), True)), Case("batch and heads, causal",
                                                                     inputs((5, 5, 4, 4), True, (2, 3))),
     Case("150 positions, causal", inputs((150, 150, 3, 2), True, ()))],
    [Case("other sizes, causal", inputs((9, 9, 2, 6), True, (3,))),
     Case("many positions, causal", inputs((520, 520, 2, 2), True, ()))],
    _PAST,
)  # fmt: skip
task.require(
    "where the weights sum to 0 the output is 0, and a small sum is divided by as it is",
    "zeros where the sum is 0, and the formula everywhere else",
    [Case("a query of -10 000", inputs((4, 6, 3, 2), silent=1)), Case("a query of -10 000, causal",
                                                                        inputs((6, 6, 3, 2), True, silent=2)),
     Case("queries and keys around -12", quiet((4, 6, 3, 2))),
     Case("queries and keys around -12, causal", quiet((5, 5, 3, 2), True))],
    [Case("two such queries", inputs((5, 5, 2, 2), True, silent=[0, 3])),
     Case("queries and keys around -11", quiet((3, 7, 2, 4), shift=-11.0))],
)  # fmt: skip
task.require(
    "the gradients are those of the formula",
    "the derivative with respect to query, key and value",
    [Case("the gradient", inputs((3, 5, 4, 2)), gradients()),
     Case("the gradient, causal", inputs((5, 5, 3, 2), True), gradients()),
     Case("the gradient, with a query of -10 000", inputs((4, 6, 3, 2), silent=1), gradients()),
     Case("the gradient, with a query of -10 000, causal", inputs((5, 5, 3, 2), True, silent=2), gradients())],
    [Case("the gradient, causal, more positions", inputs((70, 70, 2, 2), True, ()), gradients())],
)  # fmt: skip


@task.probe("the cost is linear in the length", "four times as much for a text that is four times as long", MAP,
            _MAP_HINT)  # fmt: skip
def cost_of(answer):
    """256 and 1,024 positions, with causal and without."""
    for causal in (False, True):
        made = []
        for length in (256, 1024):
            leaves = inputs((length, length, 3, 3), leading=(), dtype=torch.float32)(Draw("cost"))
            with torch.no_grad(), Memory(*leaves) as memory:
                answer(*leaves, causal)
            made.append(memory.made)
        if made[1] > 10 * made[0] or memory.largest > 4 * 1024 * 1024 / 2:
            seen = (
                f"with causal={causal} the tensors that the call made hold {made[1] / made[0]:.0f} times as many "
                "numbers for a text that is 4 times as long"
            )
            raise Finding(seen, "", MAP, _MAP_HINT, final=True)


ones = torch.ones
task.limits(
    "one position, no keys, float32, and wrong input",
    [
        Case("one position", inputs((1, 1, 3, 2), True)),
        Case("no keys", inputs((3, 0, 4, 2))),
        Case("float32", inputs((5, 5, 4, 2), True, dtype=torch.float32)),
        refusal("causal with another number of keys than queries", (ones(3, 4), ones(5, 4), ones(5, 2), True), "key"),
        refusal("a key with another d_k", (ones(3, 4), ones(5, 3), ones(5, 2)), "key"),
        refusal("a value with another length", (ones(3, 4), ones(5, 4), ones(4, 2)), "value"),
    ],
)
