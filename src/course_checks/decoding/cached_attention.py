"""Task `cached_attention` of exercise 11."""

import torch
from torch.nn import functional as F

from course_checks.cases import GRADIENT, Case, gradients, refusal
from course_checks.decoding.shared import READY_MADE, UNIT, attention
from course_checks.task import Task
from course_checks.words import Finding

task = Task("cached_attention", UNIT, READY_MADE)


@task.oracle
def right(attention, x, cache):
    """Attend with torch, head by head, from the last of all positions."""
    layers = (attention.w_query, attention.w_key, attention.w_value)
    query, key, value = (torch.stack(F.linear(x, w.weight, w.bias).chunk(attention.num_heads, -1), 1) for w in layers)
    if cache is not None:
        key, value = (torch.cat([old, new], 2) for old, new in zip(cache, (key, value), strict=True))
    heads = F.scaled_dot_product_attention(query, key, value)
    return F.linear(torch.cat(heads.unbind(1), -1), attention.w_output.weight, attention.w_output.bias), (key, value)


# fmt: off
_STEP = "let the attention see all positions at once, with a causal mask, and compare its last row with yours"
_JOIN = "join first, then attend"
_ORDER = "attention does not care about the order of keys, but who reads the cache does: the oldest first"
_CACHE = "the cache is `(key, value)`, each (batch, heads, length, d_k), with the new position last"
_WHICH, _A_LAYER_EACH = "which layer makes the keys?", "query, key, value: a layer for each"
_GROWS = "along which dimension does it grow?"
_OVER_KEYS = "the weights of a query sum to 1 over the keys"
_APART = "weights and values do not belong together"
_GRAPH = "leave `.detach()` and `torch.no_grad()` out"
_QUERY, _KEY, _VALUE = "attention.w_query", "attention.w_key", "attention.w_value"
task.edit(f"({_QUERY}, {_KEY}, {_VALUE})", {
    f"({_QUERY}, {_VALUE}, {_KEY})": ("`w_key` and `w_value` change places", _WHICH),
    f"({_KEY}, {_QUERY}, {_VALUE})": ("`w_query` and `w_key` change places", _WHICH),
    f"(nn.Identity(), {_KEY}, {_VALUE})": ("`w_query` is not used: the query is x itself", _A_LAYER_EACH),
    f"({_QUERY}, nn.Identity(), {_VALUE})": (
        "`w_key` is not used: x itself comes into the cache", "the cache holds projected keys"),
    f"({_QUERY}, {_KEY}, nn.Identity())": (
        "`w_value` is not used: x itself comes into the cache", "it holds projected values"),
    f"({_QUERY}, {_KEY}, {_KEY})": ("`w_key` makes the values too", "query, key and value each have a layer")})
task.edit("split_heads(projection(x), attention.num_heads)", {
    "split_heads(F.linear(x, projection.weight), attention.num_heads)": (
        "the weights of the layers are used without their biases", "call the layers"),
    "projection(x).unflatten(-1, (-1, attention.num_heads)).permute(0, 3, 1, 2)": ("the columns are dealt out to the "
        "heads in turn (`view(..., d_k, num_heads)`)", "a head owns neighbouring columns",
        "head 0 holds every so-many-th column"),
    "split_heads(projection(x), attention.num_heads).flip(1)": (
        "the heads come in reverse order", "head 0 owns the first columns")})
_KEYS, _VALUES = "[cache[0], key]", "[cache[1], value]"
_KEYS_IN_FRONT, _VALUES_IN_FRONT = {_KEYS: "[key, cache[0]]"}, {_VALUES: "[value, cache[1]]"}
task.edit_places(_KEYS_IN_FRONT | _VALUES_IN_FRONT, "the new position is joined in front of the old ones", _ORDER,
                 "the new position stands first in the cache")
_DIFFERENT = "keys and values are joined in different orders: new {} in front"
task.edit_places(_VALUES_IN_FRONT, _DIFFERENT.format("values"), _ORDER, _APART)
task.edit_places(_KEYS_IN_FRONT, _DIFFERENT.format("keys"), _ORDER, _APART)
task.edit(_VALUES, {"[cache[0], value]": ("the old keys are joined to the new values", _CACHE)})
task.edit(_KEYS, {"[cache[1], key]": ("the old values are joined to the new keys", _CACHE)})
task.edit_all("dim=2)", {
    "dim=1)": ("`torch.cat` joins along the heads (dimension 1)", _GROWS),
    "dim=0)": ("`torch.cat` joins along the batch (dimension 0)", _GROWS),
    "dim=3)": ("`torch.cat` joins along d_k (the last dimension)", _GROWS)})
task.edit_places({_KEYS: "[cache[0][:, :, :-1], key]", _VALUES: "[cache[1][:, :, :-1], value]"}, "the new key and "
    "value take the place of the last cached ones", "two positions before, three after: count",
    "the cache does not grow")
task.edit(", key, value)\nreturn", {
    ", *(cache or (key, value)))\nreturn": ("attention runs over the old cache, before the new key and value have "
        "joined it", _JOIN, "the new position does not see itself"),
    ", key[:, :, -1:], value[:, :, -1:])\nreturn": (
        "attention runs over the new key and value alone", _JOIN, "the new position sees only itself"),
    ", key[:, :, :1], value[:, :, :1])\nreturn": ("`is_causal=True`, or a causal mask of one row: it begins at the "
        "first key, so the only query sees key 0 alone", "what in the cache must a new position not see?",
        "the new position sees only the first one"),
    ", key, key)\nreturn": ("the keys are mixed, in the place of the values", "weights times value")})
task.edit("attention(query", {
    "attention(query * attention.d_k**0.5": (
        "the scores are not divided by sqrt(d_k)", "a product of your own has to be scaled, too"),
    "attention(query * (attention.d_k / key.shape[2]) ** 0.5": (
        "the scores are divided by the root of the number of keys, not of d_k", "how wide is a head?"),
    "attention(query / attention.num_heads**0.5": (
        "the scores are divided by the root of d_model, not of d_k", "how wide is a head?"),
    "attention(query / attention.d_k**0.5": ("the scores are divided by d_k, not by its root, or they are scaled twice",
        "as in exercise 04; scaled_dot_product_attention has scaled them already")})
_SCORES = "query @ key.mT / attention.d_k**0.5"
task.edit("heads, _ = scaled_dot_product_attention(query, key, value)", {
    f"heads = ({_SCORES}).softmax(1) @ value": ("softmax runs over the heads", _OVER_KEYS),
    f"heads = ({_SCORES}).softmax(2) @ value": (
        "softmax runs over the queries, of which there is one, so every weight is 1", _OVER_KEYS),
    f"heads = {_SCORES} @ value": ("softmax is missing", _OVER_KEYS),
    "heads = (query @ key.mT).softmax(-1) / attention.d_k**0.5 @ value": (
        "the division by sqrt(d_k) comes after softmax", _OVER_KEYS, "the weights do not sum to 1"),
    "heads = scaled_dot_product_attention(*map(merge_heads, (query, key, value)))[0]\n"
    "heads = split_heads(heads, attention.num_heads)": (
        "all columns are one head: the attention runs before they are cut into heads", "a head owns some columns")})
task.edit("attention.w_output(merge_heads(heads))", {
    "merge_heads(heads)": (
        "`w_output` is not used", "one projection is still missing", "the heads stand side by side"),
    "F.linear(merge_heads(heads), attention.w_output.weight)": (
        "the weight of `w_output` is used without its bias", "call the layer"),
    "attention.w_output(heads.permute(0, 2, 3, 1).flatten(2))": (
        "the heads are woven into each other when they are glued", "head 0 comes first"),
    "attention.w_output(heads.mean(1).repeat(1, 1, attention.num_heads))": (
        "the heads are averaged, not written side by side", "the heads are concatenated")})
task.edit(", (key, value)", {
    ", (key[:, :, -1:], value[:, :, -1:])": ("the new key and value alone are returned, without the old cache", _CACHE,
                                            "the new cache holds one position"),
    ", cache or (key, value)": (
        "the old cache is returned, without the new position", _CACHE, "the cache has not grown"),
    ", (key.detach(), value.detach())": (
        "the new cache is cut off from the graph (`.detach()`)", _GRAPH, "no gradient flows through the new cache"),
    ", (value, key)": ("key and value change places in the cache", _CACHE),
    ", key, value": ("output, key and value are returned one after the other, not as a pair with a pair in it",
                     "end the function with `return output, (key, value)`", "it returned three results"),
    ", (merge_heads(key), merge_heads(value))": (
        "the cache is kept before it is cut into heads, or after it is glued", _CACHE),
    ", (key, key)": ("the keys are returned in the place of the values, too", _CACHE),
    ", torch.stack([key, value])": ("the cache is one stacked tensor, not a pair", _CACHE),
    "": ("only the output is returned", "end the function with `return output, (key, value)`")})
task.edit("heads, _", {"key, value = key.detach(), value.detach()\nheads, _": ("keys and values are cut off from the "
    "graph (`.detach()`)", _GRAPH, "no gradient flows through the keys and values")})
task.edit("if cache is not None:", {"if cache is None:\n    cache = 2 * [torch.zeros_like(key)]\nif True:": (
    "without a cache a position of zeros takes its place, and gets a weight",
    "how many positions has the cache after the first step?")})
task.edit("if cache is not None:", {"if cache is not None:\n    cache = [part.detach() for part in cache]": (
    "the cache that came in is cut off from the graph (`.detach()`)", _GRAPH, "no gradient reaches the cache")})
# fmt: on


def step(answer, attention, x, cache):
    """Observe one step."""
    result = answer(attention, x, cache)
    if type(result) in (tuple, list) and len(result) == 2 and type(result[1]) not in (tuple, list):
        raise Finding(f"the new cache is an object of type {type(result[1]).__name__}", "a pair: keys, and values",
                      "the return statement", _CACHE)  # fmt: skip
    return result


def follow(answer, attention, x):
    """Observe the outputs of a sentence, each position with the cache that the one before has returned."""
    outputs, cache = [], None
    for position in x.split(1, 1):
        output, cache = step(answer, attention, position, cache)
        outputs.append(output)
    return torch.cat(outputs, 1)


def flow(answer, attention, x, key, value):
    """Observe the gradients of output and new cache with respect to the new position, the keys and the values."""

    def result(x, key, value):
        output, cache = step(answer, attention, x, (key, value))
        return torch.cat([part.flatten() for part in (output, *cache)])

    return gradients()(result, x, key, value)


flow.words = GRADIENT


def inputs(batch, length, d_model, heads, bias=True, dtype=torch.float64, flat=False):
    """Draw a position and a cache of this length, or None for none."""

    def make(draw):
        x = draw(batch, 1, d_model, dtype=dtype)
        cache = [draw(batch, heads, length or 0, d_model // heads, dtype=dtype) for _ in range(2)]
        made = attention(d_model, heads, bias, dtype)
        return (made, x, *cache) if flat else (made, x, None if length is None else tuple(cache))

    return make


def whole(batch, length, d_model, heads):
    """Draw a sentence."""
    return lambda draw: (attention(d_model, heads), draw(batch, length, d_model, dtype=torch.float64))


def wrong(x, key, value=None):
    """Make the inputs of a refusal from shapes, with an attention of 3 heads of width 4."""
    return lambda draw: (attention(12, 3, dtype=torch.float32), draw(*x), (draw(*key), draw(*(value or key))))


EXPECTED = "the last row of causal attention over all positions so far, and the cache with the new position at its end"
task.require(
    "the first position attends to itself",
    EXPECTED,
    [Case("the first position, no cache", inputs(2, None, 12, 3), step)],
    [Case("one sentence, no cache", inputs(1, None, 10, 5), step)],
    _STEP,
)
task.require(
    "a new position attends to itself and to the cache, and comes last in the new one",
    EXPECTED,
    [Case("batch 2, 3 heads, a cache of 5 positions", inputs(2, 5, 12, 3), step),
     Case("a cache of 1 position, no biases", inputs(2, 1, 8, 4, bias=False), step)],
    [Case("batch 1, 1 head", inputs(1, 4, 5, 1), step), Case("heads of width 1", inputs(2, 3, 4, 4), step),
     Case("as many sentences as heads and positions", inputs(3, 3, 9, 3), step),
     Case("no biases", inputs(4, 7, 10, 5, bias=False), step),
     Case("float32", inputs(2, 4, 6, 2, dtype=torch.float32), step)],
    _STEP,
)  # fmt: skip
task.require(
    "position by position, the rows of causal attention come out",
    "the same row of causal attention over all positions",
    [Case("6 positions, each with the cache of the one before", whole(2, 6, 12, 3), follow)],
    [Case("9 positions of one sentence", whole(1, 9, 8, 2), follow)],
    _STEP,
)
task.require(
    "the gradient reaches the new position and the cache",
    "the gradient of attention over all positions, and through the new cache",
    [Case("the gradient, a cache of 5 positions", inputs(2, 5, 12, 3, flat=True), flow)],
    [Case("the gradient, a cache of 2 positions", inputs(3, 2, 6, 2, flat=True), flow)],
)
task.limits(
    "a cache of length 0, and wrong input",
    [Case("a cache of length 0", inputs(2, 0, 12, 3), step),
     refusal("two new positions at once", wrong((2, 2, 12), (2, 3, 4, 4))),
     refusal("x of another width", wrong((2, 1, 8), (2, 3, 4, 4))),
     refusal("keys for one sentence, which would broadcast", wrong((2, 1, 12), (1, 3, 4, 4))),
     refusal("values that are shorter than the keys", wrong((2, 1, 12), (2, 3, 4, 4), (2, 3, 3, 4)))],
)  # fmt: skip
