"""Task `grouped_query_attention` of exercise 17: many heads, few sets of keys, and no copy of them."""

import math

import torch

from course_checks.cases import Case, Draw, gradients, refusal
from course_checks.efficient_attention.shared import READY_MADE, UNIT, plain
from course_checks.task import Task
from course_checks.words import Finding, Wrong
from transformer_course.common.memory import Memory
from transformer_course.common.validation import require_mask

task = Task("grouped_query_attention", UNIT, READY_MADE)

_WHICH = "which group do heads 0, 1, ... use? With 6 heads and 3 groups: 0, 0, 1, 1, 2, 2"
_ROWS = "give every head its own mask, and compare head by head with attention over the keys of its group"
COPIED = (
    "the keys or values are copied for the heads of a group: `repeat_interleave`, `repeat`, or a product that "
    "broadcasts them, which copies inside"
)
_COPIED_HINT = "a product of `heads / groups` times as many queries needs the keys of the group only once"

_IN_TURN = Wrong("groups are dealt out in turn: head i uses group `i % groups` (`repeat` or `tile`, or a reshape to "
                 "(heads / groups, groups)); neighbours should share", "", _WHICH)  # fmt: skip


@task.oracle
def right(query, key, value, mask=None):
    """Attend head by head, and ask for the group of each."""
    share = query.shape[1] // key.shape[1]
    masks = [None] * query.shape[1]
    if mask is not None:
        masks = mask.expand(*query.shape[:-1], key.shape[-2]).unbind(1)
    heads = [plain(query[:, i], key[:, i // share], value[:, i // share], masks[i]) for i in range(query.shape[1])]
    return torch.stack(heads, 1)


@task.pipeline(
    group={
        "in turn": _IN_TURN,
        "in turn, not back": _IN_TURN,
        "first": Wrong("all heads use group 0", "", _WHICH),
        "value in turn": Wrong("the values are not those of the group that the keys come from", "", _WHICH),
        "i // groups": Wrong("head i uses group `i // groups`; there are heads / groups heads in a group", "", _WHICH),
    },
    stacked={
        "by query": Wrong("queries and heads change places when they are put below each other (or on the way back): "
                          "`reshape` keeps the order of the numbers and never exchanges dimensions", "", _ROWS),
        "queries first": Wrong("the queries are put below each other query by query (`transpose(1, 2)` before the "
                               "reshape), so that those of different groups come together", "", _ROWS),
        "not undone": Wrong("the outputs of the heads of a group still stand one below the other", "", "the output has "
                            "a dimension for the heads: (batch, heads, query_length, d_v)"),
        "mean": Wrong("the queries of a group are averaged: its heads say the same", "", _ROWS),
    },
    masking={
        "not used": Wrong("the mask is not used", "hidden keys still have a weight", "where does `mask` come in?"),
        "inverted": Wrong("the mask is used the wrong way round", "exactly the hidden keys count",
                          "True means `may be attended to`"),
        "first head": Wrong("all heads of a group get the mask of its first head", "", _ROWS),
        "after": Wrong("the mask is applied after softmax", "the weights of a query sum to less than 1",
                       "as in exercise 06: hidden scores are -inf before softmax"),
        "-1e9": Wrong("hidden scores are filled with a finite number such as -1e9: a query that may attend to nothing "
                      "attends to everything equally", "", "`masked_softmax` gives such a row zeros"),
        "nan": Wrong("softmax of a row that may attend to nothing is 0 / 0", "the row is NaN",
                     "`masked_softmax` gives such a row zeros"),
    },
    scale={
        "none": Wrong("the scores are not divided by sqrt(d_k)", "", "as in exercise 04"),
        "all heads": Wrong("the scores are divided by the root of heads times d_k", "", "one head's width"),
        "heads": Wrong("the scores are divided by the root of the number of heads", "", "one head's width"),
        "value": Wrong("the scores are divided by the root of d_v", "", "which size do query and key share?"),
    },
    copies={"copied": Wrong(COPIED, "", _COPIED_HINT)},
)  # fmt: skip
def grouped_query_attention(
    query, key, value, mask=None, *, group="neighbours", stacked="by head", masking="filled", scale="sqrt(d_k)",
    copies="none",
):  # fmt: skip
    """Attend head by head, with one choice for each step."""
    batch, heads, m, d_k = query.shape
    groups, share = key.shape[1], heads // key.shape[1]
    if copies == "copied":
        key, value = (x.repeat_interleave(share, 1) for x in (key, value))
        groups, share = heads, 1
    which = {
        "in turn": lambda i: i % groups,
        "first": lambda i: 0,
        "i // groups": lambda i: min(i // groups, groups - 1),
    }
    own = which.get(group.removesuffix(", not back"), lambda i: i // share)
    if stacked == "by query":
        query = query.reshape(batch, groups, share, m, d_k).transpose(2, 3).reshape(batch, heads, m, d_k)
    if stacked == "queries first":
        query = query.transpose(1, 2).reshape(batch, heads, m, d_k)
    if stacked == "mean":
        query = query.unflatten(1, (groups, share)).mean(2, keepdim=True).expand(-1, -1, share, -1, -1).flatten(1, 2)
    root = {"none": 1, "heads": heads, "all heads": heads * d_k, "value": value.shape[-1]}.get(scale, d_k)
    outputs = []
    for i in range(heads):
        scores = query[:, i] @ key[:, own(i)].transpose(-2, -1) / math.sqrt(root)
        seen = None
        if mask is not None and masking != "not used":
            each = mask.expand(batch, heads, m, key.shape[-2])
            seen = each[:, i // share * share if masking == "first head" else i]
            seen = ~seen if masking == "inverted" else seen
        fill = -1e9 if masking == "-1e9" else -math.inf
        hidden = scores if seen is None or masking == "after" else scores.masked_fill(~seen, fill)
        nothing = (hidden == -math.inf).all(-1, keepdim=True) if masking != "nan" else torch.zeros(1, dtype=torch.bool)
        weights = hidden.masked_fill(nothing, 0.0).softmax(-1).masked_fill(nothing, 0.0)
        weights = weights * seen if masking == "after" and seen is not None else weights
        outputs.append(weights @ value[:, i % groups if group == "value in turn" else own(i)])
    if group == "in turn, not back":
        outputs = [outputs[i % share * groups + i // share] for i in range(heads)]
    stacked_heads = torch.stack(outputs, 1)
    return stacked_heads.unflatten(1, (groups, share)).flatten(2, 3) if stacked == "not undone" else stacked_heads


@task.mistake("the mask, which has a row for each head, meets scores with the queries of a group one below the other",
              "",
              "give the scores back their dimension of heads before they meet the mask")  # fmt: skip
def mask_on_stacked(query, key, value, mask=None):
    """Hide before the heads are taken apart again."""
    batch, heads, m, d_k = query.shape
    scores = query.reshape(batch, key.shape[1], -1, d_k) @ key.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        require_mask(mask, tuple(scores.shape))  # so does `masked_softmax`, in the same words
        scores = scores.masked_fill(~mask, -math.inf)
    return (scores.softmax(-1).nan_to_num() @ value).view(batch, heads, m, -1)


def inputs(heads, groups, sizes=(3, 5, 4, 7), mask=None, batch=2, nothing=None, dtype=torch.float64):
    """Draw queries of many heads, keys and values of few groups, and a mask of a shape."""
    m, n, d_k, d_v = sizes

    def make(draw):
        drawn = (draw(batch, heads, m, d_k, dtype=dtype), draw(batch, groups, n, d_k, dtype=dtype),
                 draw(batch, groups, n, d_v, dtype=dtype))  # fmt: skip
        if mask is None:
            return drawn
        allowed = draw.mask(*mask)
        if nothing is not None:
            allowed[..., nothing, :] = False
        return *drawn, allowed

    return make


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
    [Case("a mask of shape (3, 5) for all heads", inputs(6, 3, mask=(3, 5))),
     Case("a mask for each head, (2, 6, 3, 5)", inputs(6, 3, mask=(2, 6, 3, 5))),
     Case("a padding mask of shape (2, 1, 1, 5)", inputs(6, 2, mask=(2, 1, 1, 5))),
     Case("a query that may attend to nothing", inputs(4, 2, mask=(3, 5), nothing=1))],
    [Case("a mask for each head", inputs(8, 2, (4, 6, 3, 2), (3, 8, 4, 6), 3)),
     Case("one row of a mask", inputs(6, 3, mask=(5,)))],
    _ROWS,
)  # fmt: skip
task.require(
    "the gradients of a group come from all its heads",
    "the derivative with respect to query, key and value",
    [Case("the gradient, 4 heads, 2 groups", inputs(4, 2, (2, 3, 4, 2), (2, 3)), gradients())],
    [Case("the gradient, 6 heads, 2 groups", inputs(6, 2, (2, 3, 2, 2)), gradients())],
)

HEADS, GROUPS, KEYS, WIDTH = 8, 2, 128, 16


@task.probe("keys and values are never copied for the heads", "no tensor that is larger than the keys of all groups",
            COPIED, _COPIED_HINT)  # fmt: skip
def copied(answer):
    """8 heads, 2 groups, 1 query, 128 keys of width 16."""
    leaves = inputs(HEADS, GROUPS, (1, KEYS, WIDTH, WIDTH), dtype=torch.float32)(Draw("copies"))
    with torch.no_grad(), Memory(*leaves) as memory:
        answer(*leaves)
    if memory.largest > 4 * leaves[1].numel():
        times = memory.largest / (4 * leaves[1].numel())
        seen = f"the largest tensor that the call made is {times:g} times as large as the keys"
        raise Finding(seen, "", COPIED, _COPIED_HINT, final=True)


def ones(*shape):
    """Make a tensor of ones."""
    return torch.ones(*shape)


task.limits(
    "one query, one key, float32, and wrong input",
    [
        Case("one query, one key", inputs(4, 2, (1, 1, 3, 2))),
        Case("a mask of one entry that allows nothing", lambda draw: (*inputs(4, 2)(draw), torch.zeros(1).bool())),
        Case("float32", inputs(6, 3, mask=(3, 5), dtype=torch.float32)),
        refusal(
            "groups that do not divide the heads", (ones(2, 4, 3, 5), ones(2, 3, 6, 5), ones(2, 3, 6, 5)), "groups"
        ),
        refusal(
            "values with another number of groups", (ones(2, 4, 3, 5), ones(2, 2, 6, 5), ones(2, 4, 6, 5)), "value"
        ),
        refusal("a mask of numbers", (ones(2, 4, 3, 5), ones(2, 2, 6, 5), ones(2, 2, 6, 5), ones(3, 6)), "mask"),
    ],
)
