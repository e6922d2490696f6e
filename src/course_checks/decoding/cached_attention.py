"""Task `cached_attention` of exercise 11."""

import torch
from torch.nn import functional as F

from course_checks.cases import GRADIENT, Case, gradients, refusal
from course_checks.decoding.shared import READY_MADE, UNIT, attention
from course_checks.task import Task
from course_checks.words import Finding, Wrong

task = Task("cached_attention", UNIT, READY_MADE)
_STEP = "let the attention see all positions at once, with a causal mask, and compare its last row with yours"
_JOIN = "join first, then attend"
_ORDER = "attention does not care about the order of keys, but who reads the cache does: the oldest first"
_CACHE = "the cache is `(key, value)`, each (batch, heads, length, d_k), with the new position last"


@task.oracle
def right(attention, x, cache):
    """Attend with torch, head by head, from the last of all positions."""
    layers = (attention.w_query, attention.w_key, attention.w_value)
    query, key, value = (torch.stack(F.linear(x, w.weight, w.bias).chunk(attention.num_heads, -1), 1) for w in layers)
    if cache is not None:
        key, value = (torch.cat([old, new], 2) for old, new in zip(cache, (key, value), strict=True))
    heads = F.scaled_dot_product_attention(query, key, value)
    return F.linear(torch.cat(heads.unbind(1), -1), attention.w_output.weight, attention.w_output.bias), (key, value)


@task.pipeline(
    projected={
        "key, value exchanged": Wrong("`w_key` and `w_value` change places", "", "which layer makes the keys?"),
        "query, key exchanged": Wrong("`w_query` and `w_key` change places", "", "which layer makes the keys?"),
        "no query": Wrong("`w_query` is not used: the query is x itself", "", "query, key, value: a layer for each"),
        "no key": Wrong("`w_key` is not used: x itself comes into the cache", "", "the cache holds projected keys"),
        "no value": Wrong("`w_value` is not used: x itself comes into the cache", "", "it holds projected values"),
        "no bias": Wrong("the weights of the layers are used without their biases", "", "call the layers"),
        "key for value": Wrong("`w_key` makes the values too", "", "query, key and value each have a layer"),
    },
    cut={
        "interleaved": Wrong("the columns are dealt out to the heads in turn (`view(..., d_k, num_heads)`)",
                             "head 0 holds every so-many-th column", "a head owns neighbouring columns"),
        "reversed": Wrong("the heads come in reverse order", "", "head 0 owns the first columns"),
    },
    joined={
        "in front": Wrong("the new position is joined in front of the old ones", "the new position stands first in the "
                          "cache", _ORDER),
        "values in front": Wrong("keys and values are joined in different orders: new values in front",
                                 "weights and values do not belong together", _ORDER),
        "keys in front": Wrong("keys and values are joined in different orders: new keys in front",
                               "weights and values do not belong together", _ORDER),
        "heads": Wrong("`torch.cat` joins along the heads (dimension 1)", "", "along which dimension does it grow?"),
        "batch": Wrong("`torch.cat` joins along the batch (dimension 0)", "", "along which dimension does it grow?"),
        "width": Wrong("`torch.cat` joins along d_k (the last dimension)", "", "along which dimension does it grow?"),
        "replaced": Wrong("the new key and value take the place of the last cached ones", "the cache does not grow",
                          "two positions before, three after: count"),
    },
    sees={
        "past": Wrong("attention runs over the old cache, before the new key and value have joined it",
                      "the new position does not see itself", _JOIN),
        "itself": Wrong("attention runs over the new key and value alone", "the new position sees only itself", _JOIN),
        "first": Wrong("`is_causal=True`, or a causal mask of one row: it begins at the first key, so the only query "
                       "sees key 0 alone", "the new position sees only the first one",
                       "what in the cache must a new position not see?"),
    },
    scores={
        "none": Wrong("the scores are not divided by sqrt(d_k)", "", "a product of your own has to be scaled, too"),
        "d_model": Wrong("the scores are divided by the root of d_model, not of d_k", "", "how wide is a head?"),
        "d_k": Wrong("the scores are divided by d_k, not by its root", "", "as in exercise 04"),
        "twice": Wrong("the scores are scaled twice", "", "scaled_dot_product_attention has scaled them already"),
    },
    over={
        "heads": Wrong("softmax runs over the heads", "", "the weights of a query sum to 1 over the keys"),
        "queries": Wrong("softmax runs over the queries, of which there is one, so every weight is 1", "",
                         "the weights of a query sum to 1 over the keys"),
        "nothing": Wrong("softmax is missing", "", "the weights of a query sum to 1 over the keys"),
    },
    mixed={"keys": Wrong("the keys are mixed, in the place of the values", "", "weights times value")},
    output={
        "raw": Wrong("`w_output` is not used", "the heads stand side by side", "one projection is still missing"),
        "no bias": Wrong("the weight of `w_output` is used without its bias", "", "call the layer"),
        "woven": Wrong("the heads are woven into each other when they are glued", "", "head 0 comes first"),
        "averaged": Wrong("the heads are averaged, not written side by side", "", "the heads are concatenated"),
    },
    kept={
        "new": Wrong("the new key and value alone are returned, without the old cache", "the new cache holds one "
                     "position", _CACHE),
        "old": Wrong("the old cache is returned, without the new position", "the cache has not grown", _CACHE),
        "exchanged": Wrong("key and value change places in the cache", "", _CACHE),
        "three": Wrong("output, key and value are returned one after the other, not as a pair with a pair in it",
                       "it returned three results", "end the function with `return output, (key, value)`"),
        "glued": Wrong("the cache is kept before it is cut into heads, or after it is glued", "", _CACHE),
        "keys": Wrong("the keys are returned in the place of the values, too", "", _CACHE),
        "stacked": Wrong("the cache is one stacked tensor, not a pair", "", _CACHE),
        "output": Wrong("only the output is returned", "", "end the function with `return output, (key, value)`"),
    },
    graph={
        "detached": Wrong("keys and values are cut off from the graph (`.detach()`)", "no gradient flows through the "
                          "keys and values", "leave `.detach()` and `torch.no_grad()` out"),
        "detached cache": Wrong("the cache that came in is cut off from the graph (`.detach()`)",
                                "no gradient reaches the cache", "leave `.detach()` and `torch.no_grad()` out"),
    },
)  # fmt: skip
def cached_attention(
    attention, x, cache, *, projected="each", cut="neighbours", joined="behind", sees="all", scores="sqrt(d_k)",
    over="keys", mixed="values", output="projected", kept="both", graph="whole",
):  # fmt: skip
    """Attend with one choice for each step."""
    (batch, _, d_model), heads, d_k = x.shape, attention.num_heads, attention.d_k
    w_query, w_key, w_value = attention.w_query, attention.w_key, attention.w_value
    if projected.endswith("exchanged"):
        w_query, w_key, w_value = (
            (w_query, w_value, w_key) if projected.startswith("key") else (w_key, w_query, w_value)
        )
    w_value = w_key if projected == "key for value" else w_value
    made = {"query": w_query(x), "key": w_key(x), "value": w_value(x)}
    if projected == "no bias":
        layers = zip(made, (w_query, w_key, w_value), strict=True)
        made = {name: x @ layer.weight.mT for name, layer in layers}
    made |= {name: x for name in made if projected == f"no {name}"}
    parts = []
    for part in made.values():
        if cut == "interleaved":
            parts.append(part.view(batch, 1, d_k, heads).permute(0, 3, 1, 2))
        else:
            part = part.view(batch, 1, heads, d_k).transpose(1, 2)
            parts.append(part.flip(1) if cut == "reversed" else part)
    query, new_key, new_value = parts
    key, value = new_key, new_value
    if cache is not None:
        old_key, old_value = (part.detach() for part in cache) if graph == "detached cache" else cache
        dim = {"heads": 1, "batch": 0, "width": 3}.get(joined, 2)
        keys, values = [old_key, key], [old_value, value]
        if joined == "replaced":
            keys, values = [old_key[:, :, :-1], key], [old_value[:, :, :-1], value]
        key = torch.cat(keys[::-1] if joined in ("in front", "keys in front") else keys, dim)
        value = torch.cat(values[::-1] if joined in ("in front", "values in front") else values, dim)
    if graph == "detached":
        key, value = key.detach(), value.detach()
    read = {"past": cache, "itself": (new_key, new_value), "first": (key[:, :, :1], value[:, :, :1])}
    read_key, read_value = read.get(sees) or (key, value)
    root = {"none": 1.0, "d_model": d_model**0.5, "d_k": d_k, "twice": d_k}.get(scores, d_k**0.5)
    products = query @ read_key.mT / root
    weights = products if over == "nothing" else torch.softmax(products, {"heads": 1, "queries": 2}.get(over, -1))
    together = weights @ (read_key if mixed == "keys" else read_value)  # (batch, heads, 1, d_k)
    glued = together.transpose(1, 2).flatten(2)
    if output == "woven":
        glued = together.permute(0, 2, 3, 1).flatten(2)
    elif output == "averaged":
        glued = together.mean(1).repeat(1, 1, heads)
    last = {"raw": glued, "no bias": glued @ attention.w_output.weight.mT}.get(output, attention.w_output(glued))
    if kept == "three":
        return last, key, value
    if kept == "output":
        return last
    pairs = {"new": (new_key, new_value), "old": cache, "exchanged": (value, key), "keys": (key, key)}
    pairs["glued"] = tuple(part.transpose(1, 2).flatten(2) for part in (key, value))
    if kept == "stacked" and key.shape == value.shape:
        return last, torch.stack([key, value])
    return last, pairs.get(kept) or (key, value)


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
    """Observe the gradients with respect to the new position, the keys and the values."""
    return gradients(0)(lambda x, key, value: answer(attention, x, (key, value)), x, key, value)


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
    "the gradient of attention over all positions",
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
