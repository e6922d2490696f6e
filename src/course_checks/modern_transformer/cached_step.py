"""Task `cached_step` of exercise 18, the stretch."""

import torch
from torch.nn import functional as F

from course_checks.cases import Case, select
from course_checks.modern_transformer.models import Parts
from course_checks.modern_transformer.shared import UNIT, angles_of, turned
from course_checks.task import Task
from course_checks.words import Wrong

task = Task("cached_step", UNIT)
_PLACE = "three words are in the cache: at which position stands the new one?"
_GROWS = "print the shapes of the cache before and behind: only the length grows"
_TURN = "a key turns once, when it comes into the cache"


@task.oracle
def right(block, x, cache):
    """Take one step with the formula."""
    return cached_step(block, x, cache)


@task.pipeline(
    place={
        "groups": Wrong("the position is another size of the cache than its length", "", _PLACE),
        "query at 0": Wrong("the new query turns as if it stood at position 0", "", _PLACE),
        "0": Wrong("the new word always stands at position 0", "", _PLACE),
        "one further": Wrong("the new word stands one position too far", "", _PLACE),
        "not query": Wrong("the new query does not turn", "", _PLACE),
        "not key": Wrong("the new key comes into the cache without having turned", "", _TURN),
        "kept unturned": Wrong("the word attends to keys that have turned, but the new one is kept in the cache as it "
                               "was "
                               "before it turned", "", _TURN),
    },
    kept={
        "turned again": Wrong("all keys turn in every step: those in the cache have turned already", "", _TURN),
        "turned again, kept": Wrong("all keys turn in every step, on their way to the scores: those in the cache have "
                                    "turned already, and the new one should be kept turned", "", _TURN),
        "newest": Wrong("only the new key and value are returned as the cache", "", _GROWS),
        "in front": Wrong("the new key and value stand first in the cache", "", _GROWS),
        "old": Wrong("the cache is returned as it came", "", _GROWS),
        "turned values": Wrong("the values turn too", "", _TURN),
    },
    sees={"past": Wrong("the new word does not see itself", "", "join first, then attend"),
          "itself": Wrong("the new word sees itself alone: the cache is not used", "", "join first, then attend")},
    groups={"tiled": Wrong("head i reads group i % num_groups", "", "as in task 4")},
    rest={
        "no network": Wrong("the feed-forward network is left out", "", "the second half of the block stays"),
        "no residual": Wrong("x is not added", "", "as in task 4"),
        "no second residual": Wrong("x is not added to what the network says", "", "as in task 4"),
        "one norm": Wrong("`norm_1` serves both sublayers", "", "as in task 4"),
        "no norm": Wrong("x is not normalised before it is projected", "", "as in task 4"),
    },
)  # fmt: skip
def cached_step(block, x, cache, *, place="length", kept="joined", sees="all", groups="blocks", rest="all"):
    """Step with one choice for each."""
    d_k, length = block.d_k, 0 if cache is None else cache[0].shape[2]

    def normed(x, norm):
        return F.rms_norm(x, x.shape[-1:], norm.weight, 1e-6)

    def heads(x, layer, number):
        return F.linear(x, layer.weight).unflatten(-1, (number, d_k)).transpose(1, 2)

    y = x if rest == "no norm" else normed(x, block.norm_1)
    query = heads(y, block.w_query, block.num_heads)
    key, value = heads(y, block.w_key, block.num_groups), heads(y, block.w_value, block.num_groups)
    other = {"0": 0, "one further": length + 1, "groups": block.num_groups if length else 0}
    angles = angles_of(torch.tensor([other.get(place, length)]), d_k)
    query = query if place in ("not query", "query at 0") else turned(query, angles)
    new = key if place == "not key" else turned(key, angles)
    value = turned(value, angles) if kept == "turned values" else value
    keys, values = new, value
    if cache is not None:
        order = (lambda old, new: [new, old]) if kept == "in front" else lambda old, new: [old, new]
        keys, values = torch.cat(order(cache[0], new), 2), torch.cat(order(cache[1], value), 2)
        if kept in ("turned again", "turned again, kept"):
            keys = turned(torch.cat([cache[0], key], 2), angles_of(torch.arange(length + 1), d_k))
    seen = {"past": cache, "itself": (new, value)}.get(sees, (keys, values)) or (keys, values)
    each = block.num_heads // block.num_groups
    seen = [z.repeat(1, each, 1, 1) if groups == "tiled" else z.repeat_interleave(each, 1) for z in seen]
    mixed = F.linear(F.scaled_dot_product_attention(query, *seen).transpose(1, 2).flatten(2), block.w_output.weight)
    x = mixed if rest == "no residual" else x + mixed
    if rest != "no network":
        y = normed(x, block.norm_1 if rest == "one norm" else block.norm_2)
        gate, up = F.linear(y, block.w_gate.weight), F.linear(y, block.w_up.weight)
        thought = F.linear(F.silu(gate) * up, block.w_down.weight)
        x = thought if rest == "no second residual" else x + thought
    if kept == "turned again, kept" or place == "kept unturned":
        keys = key if cache is None else torch.cat([cache[0], key], 2)
    if kept == "newest":
        return x, (new, value)
    return x, cache if kept == "old" and cache is not None else (keys, values)


def steps(answer, block, words, before=None):
    """Observe what comes out for one word after the other, and the last cache."""
    found, cache = [], before
    for place in range(words.shape[1]):
        step = answer(block, words[:, place : place + 1], cache)
        found.append(select(step, 0))
        cache = select(step, 1)
    return {"words": torch.cat(found, 1), "cache": tuple(cache)}


def drawn(batch, length, *sizes):
    """Draw a block and words."""
    return lambda draw: (Parts(*sizes), draw(batch, length, sizes[0]))


def begun(batch, length, *sizes):
    """Draw a block, one word, and the cache of those before."""

    def make(draw):
        block = Parts(*sizes)
        shape = (batch, block.num_groups, length, block.d_k)
        cache = draw(*shape), draw(*shape)
        return block, draw(batch, 1, sizes[0]), cache

    return make


task.require(
    "one word after the other gives what the block gives for all",
    "the last row of what the block returns under a causal mask, and the cache with one more key and value",
    [Case("the first word", drawn(2, 1, 8, 2, 1, 6), steps),
     Case("one word, with 3 in the cache", begun(2, 3, 8, 4, 2, 6), steps),
     Case("5 words, one after the other", drawn(2, 5, 8, 4, 2, 6), steps)],
    [Case("one word, with 6 in the cache", begun(1, 6, 12, 6, 2, 8), steps)],
    _PLACE,
)  # fmt: skip
