"""Task `grouped_query_attention` of exercise 17: many heads, few sets of keys, and no copy of them."""

import torch

from course_checks.cases import Case, Draw, drawn, gradients, refusal
from course_checks.efficient_attention.shared import READY_MADE, UNIT, plain
from course_checks.task import Task
from course_checks.words import Finding
from transformer_course.common.memory import Memory

task = Task("grouped_query_attention", UNIT, READY_MADE)

_WHICH = "which group do heads 0, 1, ... use? With 6 heads and 3 groups: 0, 0, 1, 1, 2, 2"
_ROWS = "give every head its own mask, and compare head by head with attention over the keys of its group"
COPIED = (
    "the keys or values are copied for the heads of a group: `repeat_interleave`, `repeat`, or a product that "
    "broadcasts them, which copies inside"
)
_COPIED_HINT = "a product of `heads / groups` times as many queries needs the keys of the group only once"


@task.oracle
def right(query, key, value, mask=None):
    """Attend head by head, and ask for the group of each."""
    share = query.shape[1] // key.shape[1]
    masks = [None] * query.shape[1]
    if mask is not None:
        masks = mask.expand(*query.shape[:-1], key.shape[-2]).unbind(1)
    heads = [plain(query[:, i], key[:, i // share], value[:, i // share], masks[i]) for i in range(query.shape[1])]
    return torch.stack(heads, 1)


# fmt: off
_OWN = "own = [{} for i in range(heads)]\nkey, value, groups = key[:, own], value[:, own], heads\nstacked = "
_SHARED, _WIDTH = "query.unflatten(1, (groups, -1))", "one head's width"
_IN_TURN = ("groups are dealt out in turn: head i uses group `i % groups` (`repeat` or `tile`, or a reshape to (heads "
            "/ groups, groups)); neighbours should share", _WHICH)
_CHANGED = ("queries and heads change places when they are put below each other (or on the way back): `reshape` and "
            "`view` keep the order of the numbers and never exchange dimensions", _ROWS)
_SCORES = "scores.view(batch, heads, query_length, key_length)"
_SEEN = "torch.tensor(True) if mask is None else mask"
task.edit("stacked = ", {
    _OWN.format("i % groups"): _IN_TURN,
    _OWN.format("0"): ("all heads use group 0", _WHICH),
    _OWN.format("min(i // groups, groups - 1)"): (
        "head i uses group `i // groups`; there are heads / groups heads in a group", _WHICH),
    _OWN.format("i * groups // heads"): (COPIED, _COPIED_HINT)})
task.edit("query.reshape", {
    "query.unflatten(1, (-1, groups)).transpose(1, 2).reshape": _IN_TURN,
    f"{_SHARED}.transpose(2, 3).reshape": _CHANGED,
    "query.transpose(1, 2).reshape": ("the queries are put below each other query by query (`transpose(1, 2)` before "
        "the reshape), so that those of different groups come together", _ROWS),
    f"{_SHARED}.mean(2, keepdim=True).expand(-1, -1, heads // groups, -1, -1).reshape": (
        "the queries of a group are averaged: its heads say the same", _ROWS)})
_VALUES = "weights.view(batch, groups, -1, key_length) @ value"
_OTHER_VALUES = "the values are not those of the group that the keys come from", _WHICH
task.edit(_VALUES, {"weights @ value.repeat(1, heads // groups, 1, 1)": _OTHER_VALUES,
                    f"{_VALUES}[:, :1]": _OTHER_VALUES})
task.edit("output.view(batch, heads, query_length, -1)", {
    "output.view(batch, groups, query_length, heads // groups, -1).transpose(2, 3).flatten(1, 2)": _CHANGED,
    "output": ("the outputs of the heads of a group still stand one below the other",
               "the output has a dimension for the heads: (batch, heads, query_length, d_v)")})
task.edit(f"masked_softmax({_SCORES}, mask)", {
    f"masked_softmax({_SCORES})": (
        "the mask is not used", "where does `mask` come in?", "hidden keys still have a weight"),
    f"masked_softmax({_SCORES}, mask if mask is None else ~mask)": (
        "the mask is used the wrong way round", "True means `may be attended to`", "exactly the hidden keys count"),
    f"{_SCORES}.softmax(-1) * ({_SEEN})": ("the mask is applied after softmax", "as in exercise 06: hidden scores are "
        "-inf before softmax", "the weights of a query sum to less than 1"),
    f"{_SCORES}.masked_fill(~({_SEEN}), -1e9).softmax(-1)": (
        "hidden scores are filled with a finite number such as -1e9: a query that may attend to nothing attends to "
        "everything equally", "`masked_softmax` gives such a row zeros"),
    f"{_SCORES}.masked_fill(~({_SEEN}), -math.inf).softmax(-1)": ("softmax of a row that may attend to nothing is 0 / "
        "0", "`masked_softmax` gives such a row zeros", "the row is NaN"),
    f"torch.cat([masked_softmax(some, None if mask is None else mask[:, i : i + heads // groups]) for i, some in zip("
    f"range(0, heads, heads // groups), {_SCORES}.chunk(groups, 1))], 1)": (
        "the mask is cut into heads as it comes; it need not have one for each, nor that dimension at all",
        "print the shapes of the masks that come, and which dimension you cut"),
    "masked_softmax(scores, mask)": ("the mask, which has a row for each head, meets scores with the queries of a "
        "group one below the other", "give the scores back their dimension of heads before they meet the mask")})
_MASKS = ("if mask is not None:\n    own = [{} for i in range(heads)]\n"
          "    mask = mask.expand(batch, heads, query_length, key_length)[:, own]\nweights = ")
task.edit("weights = ", {
    _MASKS.format("i - i % (heads // groups)"): ("all heads of a group get the mask of its first head", _ROWS),
    _MASKS.format("i // (heads // groups)"): ("the mask is taken by the number of the group: all its heads get that of "
        "one head, the head with this number", _ROWS)})
task.edit(" / math.sqrt(d_k)", {
    "": ("the scores are not divided by sqrt(d_k)", "as in exercise 04"),
    " / math.sqrt(heads * d_k)": ("the scores are divided by the root of heads times d_k", _WIDTH),
    " / math.sqrt(heads)": ("the scores are divided by the root of the number of heads", _WIDTH),
    " / math.sqrt(value.shape[-1])": (
        "the scores are divided by the root of d_v", "which size do query and key share?")})
# fmt: on


def inputs(heads, groups, sizes=(3, 5, 4, 7), mask="", batch=2, dtype=torch.float64):
    """Draw queries of many heads, keys and values of few groups, and a mask of a shape."""
    m, n, d_k, d_v = sizes
    shapes = f"{batch} {heads} {m} {d_k}; {batch} {groups} {n} {d_k}; {batch} {groups} {n} {d_v}"
    return drawn(shapes + (mask and f"; mask: {mask}"), dtype=dtype)


def nothing(draw):
    """Draw inputs in which a query may attend to nothing."""
    *parts, mask = inputs(4, 2, mask="3 5")(draw)
    mask[1] = False
    return *parts, mask


EXPECTED = "for head i the attention over the keys and values of group i // (heads // groups)"
task.require(
    "neighbouring heads share keys and values",
    EXPECTED,
    [Case("6 heads, 3 groups, 3 queries, 5 keys, d_k = 4, d_v = 7", inputs(6, 3)),
     Case("6 heads, 2 groups", inputs(6, 2)), Case("4 heads, 1 group", inputs(4, 1)),
     Case("4 heads, 4 groups", inputs(4, 4)), Case("8 heads, 2 groups, one query", inputs(8, 2, (1, 7, 4, 4)))],
    [Case("12 heads, 3 groups", inputs(12, 3, (4, 6, 5, 2), batch=3)), Case("9 heads, 3 groups", inputs(9, 3)),
     Case("5 heads, 1 group", inputs(5, 1, (2, 4, 3, 3)))],
    _WHICH,
)  # fmt: skip
task.require(
    "masks hide keys, for each head its own",
    f"{EXPECTED}; zeros for a query that may attend to nothing",
    [Case("a mask of shape (3, 5) for all heads", inputs(6, 3, mask="3 5")),
     Case("a mask for each head, (2, 6, 3, 5)", inputs(6, 3, mask="2 6 3 5")),
     Case("a padding mask of shape (2, 1, 1, 5)", inputs(6, 2, mask="2 1 1 5")),
     Case("a query that may attend to nothing", nothing)],
    [Case("a mask for each head", inputs(8, 2, (4, 6, 3, 2), "3 8 4 6", 3)),
     Case("one row of a mask", inputs(6, 3, mask="5"))],
    _ROWS,
)  # fmt: skip
task.require(
    "the gradients of a group come from all its heads",
    "the derivative with respect to query, key and value",
    [Case("the gradient, 4 heads, 2 groups", inputs(4, 2, (2, 3, 4, 2), "2 3"), gradients())],
    [Case("the gradient, 6 heads, 2 groups", inputs(6, 2, (2, 3, 2, 2)), gradients())],
)


@task.probe("keys and values are never copied for the heads", "no tensor that is larger than the keys of all groups",
            COPIED, _COPIED_HINT)  # fmt: skip
def copied(answer):
    """8 heads, 2 groups, 1 query, 128 keys of width 16."""
    leaves = inputs(8, 2, (1, 128, 16, 16), dtype=torch.float32)(Draw("copies"))
    with torch.no_grad(), Memory(*leaves) as memory:
        answer(*leaves)
    if memory.largest > 4 * leaves[1].numel():
        times = memory.largest / (4 * leaves[1].numel())
        seen = f"the largest tensor that the call made is {times:g} times as large as the keys"
        raise Finding(seen, "", COPIED, _COPIED_HINT, final=True)


task.limits(
    "one query, one key, float32, and wrong input",
    [
        Case("one query, one key", inputs(4, 2, (1, 1, 3, 2))),
        Case("a mask of one entry that allows nothing", lambda draw: (*inputs(4, 2)(draw), torch.zeros(1).bool())),
        Case("float32", inputs(6, 3, mask="3 5", dtype=torch.float32)),
        refusal("groups that do not divide the heads", drawn("2 4 3 5; 2 3 6 5; 2 3 6 5"), "groups"),
        refusal("values with another number of groups", drawn("2 4 3 5; 2 2 6 5; 2 4 6 5"), "value"),
        refusal("a mask of numbers", drawn("2 4 3 5; 2 2 6 5; 2 2 6 5; 3 6"), "mask"),
    ],
)
