"""Task `cached_step` of exercise 18, the stretch."""

import inspect
from unittest.mock import patch

import torch

from course_checks.cases import Case, Draw, select
from course_checks.modern_transformer.models import Parts
from course_checks.modern_transformer.shared import UNIT, block_says
from course_checks.outcomes import same
from course_checks.subject import unwrapped
from course_checks.task import Task

task = Task("cached_step", UNIT)
_PLACE = "three tokens are in the cache: at which position stands the new one?"
_GROWS = "print the shapes of the cache before and behind: only the length grows"
_TURN = "a key is rotated once, when it comes into the cache"


@task.oracle
def right(block, x, cache):
    """Take one step with the formula."""
    return block_says(block, x, torch.tensor([0 if cache is None else cache[0].shape[2]]), cache=cache)


# fmt: off
_JOIN, _AS_BEFORE = "join first, then attend", "as in task 4"
_KEY = "key = rotate(split_heads(block.w_key(y), block.num_groups), position)"
_NEW = "split_heads(block.w_key(y), block.num_groups)"
_ALL = "rotate(key, torch.arange(key.shape[2]))"
task.edit("cache[0].shape[2]", {
    "cache[0].shape[1]": ("the position is another size of the cache than its length", _PLACE)})
task.edit("[0 if cache is None else cache[0].shape[2]]", {
    "[0]": ("the new token always stands at position 0", _PLACE),
    "[0 if cache is None else cache[0].shape[2] - 1]": (
        "the new token stands at the position of the last one in the cache", _PLACE),
    "[1 if cache is None else cache[0].shape[2] + 1]": ("the new token stands one position too far", _PLACE)})
task.edit("rotate(split_heads(block.w_query(y), block.num_heads), position)", {
    "rotate(split_heads(block.w_query(y), block.num_heads), torch.tensor([0]))": (
        "the new query is rotated as if it stood at position 0", _PLACE),
    "split_heads(block.w_query(y), block.num_heads)": ("the new query is not rotated", _PLACE)})
task.edit(_KEY, {"key = " + _NEW: ("the new key comes into the cache without having been rotated", _TURN)})
task.edit_places(
    {_KEY: f"new = {_NEW}\nkey = rotate(new, position)",
     "return x, (key, value)": "return x, (new if cache is None else torch.cat([cache[0], new], dim=2), value)"},
    "the token attends to rotated keys, but the new one is kept in the cache as it was before its rotation", _TURN)
task.edit_places({_KEY: "key = " + _NEW, "x = x + block": f"key = {_ALL}\nx = x + block"},
                 "all keys are rotated in every step: those in the cache have been already", _TURN)
task.edit_places({_KEY: "key = " + _NEW, "(query, key, value)": f"(query, {_ALL}, value)"},
                 "all keys are rotated in every step, before the scores: those in the cache have been already, "
                 "and the new one should be kept rotated", _TURN)
task.edit("return x, (key, value)", {
    "return x, (key[:, :, -1:], value[:, :, -1:])": ("only the new key and value are returned as the cache", _GROWS),
    "return x, (value, key)": ("the value comes before the key in the cache", "a cache is a pair `(key, value)`"),
    "return x, cache or (key, value)": ("the cache is returned as it came", _GROWS)})
task.edit("torch.cat([cache[0], key], dim=2), torch.cat([cache[1], value], dim=2)", {
    "torch.cat([key, cache[0]], dim=2), torch.cat([value, cache[1]], dim=2)": (
        "the new key and value stand first in the cache", _GROWS),
    "torch.cat([cache[0], key], dim=2), torch.cat([cache[0], value], dim=2)": (
        "the new value is joined to the keys of the cache", "a cache is a pair `(key, value)`")})
task.edit("split_heads(block.w_value(y), block.num_groups)", {
    "rotate(split_heads(block.w_value(y), block.num_groups), position)": ("the values are rotated too", _TURN)})
task.edit("(query, key, value)", {
    "(query, *(cache or (key, value)))": ("the new token does not attend to itself", _JOIN),
    "(query, key[:, :, :-1], value[:, :, :-1])": ("the new token does not attend to itself", _JOIN),
    "(query, key[:, :, -1:], value[:, :, -1:])": ("the new token attends to itself alone, not to the cache", _JOIN),
    "(query, *(z.repeat(1, block.num_heads // block.num_groups, 1, 1) for z in (key, value)))": (
        "head i reads group i % num_groups", _AS_BEFORE)})
task.edit("x = x + swiglu", {
    "swiglu": ("the feed-forward network is left out", "the second half of the block stays"),
    "x = swiglu": ("x is not added to what the network says", _AS_BEFORE)})
task.edit("x = x + block", {"x = block": ("x is not added", _AS_BEFORE)})
task.edit("block.norm_2(x)", {
    "block.norm_1(x)": ("`norm_1` serves both sublayers", _AS_BEFORE),
    "x": ("the feed-forward network reads the sum itself, not its norm", _AS_BEFORE)})
_LAYERS = "query", "key", "value"
for _name in _LAYERS:
    task.edit(f"block.w_{_name}(y)", {
        f"block.w_{_name}(x)": (f"`w_{_name}` reads x itself, not its norm", _AS_BEFORE)})
task.edit_places({f"block.w_{name}(y)": f"block.w_{name}(x)" for name in _LAYERS[1:]},
                 "keys and values are made of x itself, not of its norm", _AS_BEFORE)
task.edit("block.norm_1(x)", {"x": ("x is not normalised before it is projected", _AS_BEFORE)})
# fmt: on


def steps(answer, block, words, cache):
    """Observe what comes out for one word after the other, and the last cache."""
    found = []
    for place in range(words.shape[1]):
        step = answer(block, words[:, place : place + 1], cache)
        found.append(select(step, 0))
        cache = select(step, 1)
    return {"words": torch.cat(found, 1), "cache": tuple(cache)}


@task.probe("the base of the rotation is left to `rotate`", "`rotate(z, position)`, without a base",
            "the base is written into this function, or the angles are computed in it",
            "call your `rotate` with two arguments: the model below the checks lends it another base")  # fmt: skip
def base(answer):
    """`rotate` has another base for a while, and one word comes, with 3 in the cache."""
    function = inspect.unwrap(unwrapped(answer))
    rotate = getattr(function, "__globals__", {}).get("rotate")
    if not getattr(rotate, "__defaults__", None):
        return None
    block, x, cache = given(1, 1, 8, 2, 2, 6, before=3)(Draw("another base"))
    before = select(answer(block, x, cache), 0)
    with patch.object(rotate, "__defaults__", (7.0,)):
        after = select(answer(block, x, cache), 0)
    return "with another base of `rotate` the result stays the same" if same(after, before) else None


@task.probe("nothing but the cache goes from token to token", "the same result for the same token and cache",
            "a counter outside of the function, or something else that a call leaves behind, goes into the next call",
            _PLACE)  # fmt: skip
def again(answer):
    """One token comes twice, with 3 in the cache."""
    step = given(1, 1, 8, 2, 2, 6, before=3)(Draw("twice"))
    first, second = ({"word": select(answer(*step), 0), "cache": select(answer(*step), 1)} for _ in range(2))
    return None if same(second, first) else "the second time the result is another one"


def given(batch, length, *sizes, before=0):
    """Draw a block, words, and the cache of those before."""

    def make(draw):
        block = Parts(*sizes)
        cache = tuple(draw(batch, block.num_groups, before, block.d_k) for _ in range(2))
        return block, draw(batch, length, sizes[0]), cache if before else None

    return make


task.require(
    "one token after the other gives what the block gives for all",
    "the last row of what the block returns under a causal mask, and the cache with one more key and value",
    [Case("the first token", given(2, 1, 8, 2, 1, 6), steps),
     Case("one token, with 3 in the cache", given(2, 1, 8, 4, 2, 6, before=3), steps),
     Case("5 tokens, one after the other", given(2, 5, 16, 4, 2, 6), steps)],
    [Case("one token, with 6 in the cache", given(1, 1, 24, 6, 2, 8, before=6), steps)],
    _PLACE,
)  # fmt: skip
