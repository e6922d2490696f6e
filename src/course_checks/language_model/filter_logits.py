"""Task `filter_logits` of exercise 13."""

import math
from functools import partial

import torch

from course_checks.cases import Case, drawn, refusal
from course_checks.language_model.shared import UNIT
from course_checks.task import Task

task = Task("filter_logits", UNIT)
_FEW = "work out by hand what stays of the probabilities 0.5, 0.3, 0.2 with top_p = 0.7"
_BACK = "`sort` also says where each number came from; `scatter` brings a mark back there"
_EQUAL = "`sort` takes the argument `stable=True`; print which of equal numbers it puts first"
_USED = "which line uses it?"
_AS_IT_CAME = "leave what stays as it came"


@task.oracle
def right(logits, top_k=None, top_p=None):
    """Keep tokens row by row, in plain Python."""
    rows = []
    for row in logits.detach().double().reshape(-1, logits.shape[-1]).tolist():
        order = sorted(range(len(row)), key=lambda i: (-row[i], i))[: top_k or len(row)]
        weights = [math.exp(row[i] - row[order[0]]) for i in order]
        kept, total = set(), 0.0
        for i, weight in zip(order, weights, strict=True):
            if not kept or top_p is None or total < top_p:
                kept.add(i)
                total += weight / sum(weights)
        rows.append([i in kept for i in range(len(row))])
    return logits.masked_fill(~torch.tensor(rows).reshape(logits.shape), -math.inf)


# fmt: off
_RANK = "torch.arange(logits.shape[-1]) >= top_k"
task.edit(_RANK, {
    "ordered < ordered[..., :top_k][..., -1:]": (
        "everything as large as the k-th largest logit stays, so equal ones make it more than k", _EQUAL),
    f"{_RANK} + 1": ("one token more than `top_k` stays", "how many stay with top_k = 1?"),
    f"{_RANK} - 1": ("one token fewer than `top_k` stays", "how many stay with top_k = 2?")})
task.edit("descending=True", {"descending=False": (
    "the least probable tokens stay, not the most probable", "print the order of your sort")})
task.edit(f"ordered = ordered.masked_fill({_RANK}, -torch.inf)", {"pass": ("`top_k` is not used", _USED)})
task.edit("before >= top_p", {
    "before + probabilities > top_p": (
        "the token with which the sum reaches top_p is dropped; it is the last that stays", _FEW),
    "(before >= top_p).roll(1, -1)": ("one token too many stays: the sum has reached top_p before it", _FEW),
    "before > top_p": ("one token too many stays where the sum is exactly `top_p`: `at least` is reached then",
        "take four equal logits and top_p = 0.5: how many stay?"),
    "probabilities < top_p": ("tokens are kept by their own probability, not by the sum", _FEW),
    "probabilities < 1 - top_p": (
        "tokens are dropped by their own probability, those below 1 - top_p; the sum decides", _FEW)})
task.edit("probabilities = ordered.softmax(dim=-1)", {
    "probabilities = ordered.flatten().softmax(0).view_as(ordered)": (
        "the probabilities are normalised over all rows together, not in each row",
        "print what the probabilities of one row sum to"),
    "probabilities = logits.gather(-1, order).softmax(dim=-1)": (
        "`top_p` comes before `top_k`: the probabilities that are summed are those before `top_k`, not of what it left",
        "with top_k = 2 and probabilities 0.5, 0.3, 0.2: what are they after top_k?"),
    "probabilities = logits.gather(-1, order)": (
        "logits are summed, not probabilities", "softmax comes before the sum")})
task.edit("if top_p is not None:\nprobabilities", {
    "if top_p:\n    probabilities": ("0 counts as False: `if top_p` skips it, as if it were None",
        "`top_p` may be 0 and is None if it is left out: which test tells them apart?", "nothing is dropped"),
    "if top_p is not None and top_k is None:\n    probabilities": (
        "with both given, only one of them is used", "an `elif` in the place of an `if`?")})
task.edit("dropped[..., 0] = False", {"": (
    "nothing stays in a row; one token at least must", "with top_p = 0, which token stays?", "all tokens are dropped")})
task.edit("ordered = ordered.masked_fill(dropped, -torch.inf)", {"": ("`top_p` is not used", _USED)})
_BROUGHT, _DROPPED = "torch.empty_like(logits).scatter(-1, order, ordered)", "ordered == -torch.inf"
task.edit(_BROUGHT, {
    _BROUGHT.replace("ordered)", f"ordered.masked_fill({_DROPPED}, {number}))"): (
        f"what is dropped gets {cause}", "`masked_fill` takes the logits and a mask of what is dropped",
        "no -inf in the result")
    for number, cause in {
        "-1e9": "a large negative number, not -inf",
        "torch.finfo(logits.dtype).min": "the smallest number of the dtype, not -inf",
        "0.0": "the logit 0, which is a probability like others"}.items()
} | {
    f"{_BROUGHT}.softmax(-1)": ("probabilities are returned, not logits", _AS_IT_CAME),
    f"{_BROUGHT}.log_softmax(-1)": (
        "log probabilities are returned: what stays has been normalised", _AS_IT_CAME, "what stays has changed"),
    f"logits.masked_fill({_DROPPED}, -torch.inf)": (
        "the mask belongs to the sorted logits, and is laid over those in their first order", _BACK),
    "ordered.gather(-1, order)": (
        "the sorted logits are brought back with `gather` and the order of the sort, which sorts them once more; the "
        "way back is `scatter`, or the order's own `argsort`", _BACK, "the tokens have changed places"),
    "ordered": ("the logits come back in sorted order", _BACK, "the tokens have changed places")})
task.edit_places({"logits.sort(": "logits.flip(-1).sort(", _BROUGHT: f"{_BROUGHT}.flip(-1)"},
                 "of equal logits at the border the one with the higher id stays: a sort that is not stable, or a row "
                 "that was turned around before it", _EQUAL)
task.edit("ordered, order =", {
    "if top_k is not None:\n    values, places = logits.topk(min(top_k, logits.shape[-1]))\n"
    "    logits = torch.full_like(logits, -torch.inf).scatter(-1, places, values)\nordered, order =": (
        "`topk` promises nothing about which of equal logits it takes", _EQUAL),
    "if top_k is not None:\n    logits.topk(top_k)\nordered, order =": (
        "`topk` is asked for more tokens than there are", "what should `top_k=9` do with four tokens?")})
# fmt: on


@task.mistake("a loop over the first dimension takes it for the rows; what is left of it may have several dimensions",
              "with two dimensions it is right, with three it is not",
              "rows lie along the last dimension: what makes a table of all of them, and undoes it?")  # fmt: skip
def first_dimension(logits, top_k=None, top_p=None):
    """Drop in each part of the first dimension, as if it were a row."""
    result = logits.clone()
    for row in result:
        order = row.argsort(dim=-1, descending=True, stable=True)
        row[order[row.shape[-1] if top_k is None else top_k :]] = -math.inf
        if top_p is not None:
            probabilities = row[order].softmax(-1)
            number = int((probabilities.cumsum(-1) - probabilities < top_p).sum())
            row[order[max(number, 1) :]] = -math.inf
    return result


def round_ones(top_k=None, top_p=None):
    """Take two rows of five tokens with round probabilities, not normalised."""
    rows = [[0.05, 0.3, 0.15, 0.4, 0.1], [0.1, 0.2, 0.35, 0.3, 0.05]]
    return lambda draw: (torch.tensor(rows, dtype=torch.float64).log() + 2.0, top_k, top_p)


def equal_ones(top_k=None, top_p=None):
    """Take rows in which several logits are equal."""
    return lambda draw: (torch.tensor([[1.0, 3.0, 3.0, 1.0, 3.0, 3.0], [2.0, 2.0, 2.0, 2.0, 2.0, 2.0]]), top_k, top_p)


logits = partial(drawn, dtype=torch.float64, scale=1.5)
EXPECTED = "the logits of what stays as they came, and -inf for what is dropped, in the same shape"
task.require("without top_k and top_p nothing is dropped", EXPECTED,
    [Case("2 rows of 5 tokens, nothing asked for", round_ones())],
    [Case("a batch, nothing asked for", logits("2 3 7"))])  # fmt: skip
task.require("top_k keeps the k most probable tokens", EXPECTED,
    [Case("2 rows of 5 tokens, top_k 2", round_ones(2)), Case("3 x 2 rows of 7 tokens, top_k 4", logits("3 2 7", 4)),
     Case("one row without a batch, top_k 1", logits("6", 1)), Case("2 rows of 4 tokens, top_k 9", logits("2 4", 9))],
    [Case("more than there are", logits("3 5", 8)), Case("as many as there are", logits("2 4", 4)),
     Case("another number", logits("4 11", 3))])  # fmt: skip
task.require("top_p keeps the fewest tokens that together have at least p", EXPECTED,
    [Case("2 rows of 5 tokens, top_p 0.72", round_ones(None, 0.72)), Case("top_p 0.33", round_ones(None, 0.33)),
     Case("3 times 2 rows of 7 tokens, top_p 0.6", logits("3 2 7", None, 0.6))],
    [Case("p 0.87", round_ones(None, 0.87)), Case("many tokens, p 0.9", logits("3 20", None, 0.9)),
     Case("one row without a batch, p 0.4", logits("8", None, 0.4))],
    _FEW)  # fmt: skip
task.require("with both, top_k comes first", EXPECTED,
    [Case("2 rows of 5 tokens, top_k 3 and top_p 0.75", round_ones(3, 0.75)),
     Case("2 rows of 5 tokens, top_k 2 and top_p 0.5", round_ones(2, 0.5)),
     Case("5 rows of 9 tokens, top_k 4 and top_p 0.8", logits("5 9", 4, 0.8))],
    [Case("k decides", logits("4 9", 2, 0.99)), Case("p decides", logits("4 9", 8, 0.3)),
     Case("both decide", logits("30 6", 4, 0.7))])  # fmt: skip
task.require("of equal tokens at the border the lower ids stay", EXPECTED,
    [Case("equal logits, top_k 2", equal_ones(2)), Case("equal logits, top_p 0.6", equal_ones(None, 0.6)),
     Case("4 equal logits, top_p 0.5", (torch.zeros(2, 4, dtype=torch.float64), None, 0.5))],
    [Case("equal logits, top_k 5", equal_ones(5)), Case("equal logits, both", equal_ones(4, 0.6))],
    _EQUAL)  # fmt: skip
task.limits("one token, top_p 0 and 1, and wrong input",
    [Case("one token", logits("3 1", 1, 0.5)), Case("top_p 0", logits("3 5", None, 0.0)),
     Case("top_p 1", round_ones(None, 1.0)), refusal("top_k 0", logits("2 3", 0), "top_k"),
     refusal("top_p above 1", logits("2 3", None, 1.5), "top_p"),
     refusal("logits that are integers", (torch.tensor([1, 2]),), "logits")])  # fmt: skip
