"""Task `filter_logits` of exercise 13."""

import math

import torch

from course_checks.cases import Case, refusal
from course_checks.language_model.shared import UNIT
from course_checks.task import Task
from course_checks.words import Wrong

task = Task("filter_logits", UNIT)
_FEW = "work out by hand what stays of the probabilities 0.5, 0.3, 0.2 with top_p = 0.7"
_BACK = "`sort` also says where each number came from; `scatter` brings a mark back there"
_EQUAL = "`sort` takes the argument `stable=True`; print which of equal numbers it puts first"
_FILL = "`masked_fill` takes the logits and a mask of what is dropped"


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


@task.pipeline(
    best={
        "ties": Wrong("everything as large as the k-th largest logit stays, so equal ones make it more than k", "",
                      _EQUAL),
        "one more": Wrong("one token more than `top_k` stays", "", "how many stay with top_k = 1?"),
        "one fewer": Wrong("one token fewer than `top_k` stays", "", "how many stay with top_k = 2?"),
        "smallest": Wrong("the least probable tokens stay, not the most probable", "", "print the order of your sort"),
        "ignored": Wrong("`top_k` is not used", "", "which line uses it?"),
    },
    nucleus={
        "without the last": Wrong("the token with which the sum reaches top_p is dropped; it is the last that stays",
                                  "", _FEW),
        "one more": Wrong("one token too many stays: the sum has reached top_p before it", "", _FEW),
        "border": Wrong("one token too many stays where the sum is exactly `top_p`: `at least` is reached then", "",
                        "take four equal logits and top_p = 0.5: how many stay?"),
        "above p": Wrong("tokens are kept by their own probability, not by the sum", "", _FEW),
        "below 1 - p": Wrong("tokens are dropped by their own probability, those below 1 - top_p; the sum decides", "",
                             _FEW),
        "all rows": Wrong("the probabilities are normalised over all rows together, not in each row", "",
                          "print what the probabilities of one row sum to"),
        "not for 0": Wrong("0 counts as False: `if top_p` skips it, as if it were None", "nothing is dropped",
                           "`top_p` may be 0 and is None if it is left out: which test tells them apart?"),
        "none": Wrong("nothing stays in a row; one token at least must", "all tokens are dropped",
                      "with top_p = 0, which token stays?"),
        "ignored": Wrong("`top_p` is not used", "", "which line uses it?"),
        "of all": Wrong("the probabilities that are summed are those before `top_k`, not of what it left", "",
                        "with top_k = 2 and probabilities 0.5, 0.3, 0.2: what are they after top_k?"),
        "logits": Wrong("logits are summed, not probabilities", "", "softmax comes before the sum"),
    },
    order={
        "p first": Wrong("`top_p` comes before `top_k`", "", "the task says which comes first"),
        "either": Wrong("with both given, only one of them is used", "", "an `elif` in the place of an `if`?"),
    },
    filled={
        "-1e9": Wrong("what is dropped gets a large negative number, not -inf", "no -inf in the result", _FILL),
        "smallest": Wrong("what is dropped gets the smallest number of the dtype, not -inf", "no -inf in the result",
                          _FILL),
        "0": Wrong("what is dropped gets the logit 0, which is a probability like others", "no -inf in the result",
                   _FILL),
        "probabilities": Wrong("probabilities are returned, not logits", "", "leave what stays as it came"),
        "log": Wrong("log probabilities are returned: what stays has been normalised", "what stays has changed",
                     "leave what stays as it came"),
        "mask of the order": Wrong("the mask belongs to the sorted logits, and is laid over those in their first order",
                                   "",
                                   _BACK),
        "gathered": Wrong("the sorted logits are brought back with `gather` and the order of the sort, which sorts "
                          "them "
                          "once more; the way back is `scatter`, or the order's own `argsort`", "the tokens have "
                          "changed "
                          "places", _BACK),
        "sorted": Wrong("the logits come back in sorted order", "the tokens have changed places", _BACK),
    },
    equal={"higher": Wrong("of equal logits at the border the one with the higher id stays", "", _EQUAL)},
)  # fmt: skip
def filter_logits(
    logits, top_k=None, top_p=None, *, best="k", nucleus="up to p", order="k first", filled="-inf", equal="lower"
):
    """Drop with one choice for each step."""
    size = logits.shape[-1]
    shown = logits.flip(-1) if equal == "higher" else logits
    values, places = shown.sort(dim=-1, descending=best != "smallest", stable=True)
    top_k = None if best == "ignored" else top_k
    top_p = None if nucleus == "ignored" or (order == "either" and top_k is not None) else top_p
    rank = torch.arange(size).expand(values.shape)
    number = size if top_k is None else max(top_k + {"one more": 1, "one fewer": -1}.get(best, 0), 0)
    by_k = rank < number
    if best == "ties" and top_k is not None:
        by_k = values >= values[..., min(number, size) - 1 : min(number, size)]
    seen = values if order == "p first" or nucleus == "of all" else values.masked_fill(~by_k, -math.inf)
    probabilities = values if nucleus == "logits" else torch.softmax(seen, -1)
    if nucleus == "all rows":
        probabilities = seen.flatten().softmax(0).view_as(seen)
    before = probabilities.cumsum(-1) - probabilities
    by_p = torch.ones_like(by_k)
    if top_p is not None and (top_p or nucleus != "not for 0"):
        by_p = before < top_p
        if nucleus == "border":
            by_p = before <= top_p
        if nucleus == "without the last":
            by_p = before + probabilities <= top_p
        elif nucleus == "one more":
            by_p = torch.cat([by_p[..., :1], by_p[..., :-1]], -1)
        elif nucleus == "above p":
            by_p = probabilities >= top_p
        elif nucleus == "below 1 - p":
            by_p = probabilities >= 1 - top_p
        by_p = by_p if nucleus == "none" else by_p | (rank == 0)
    kept = torch.zeros_like(by_k).scatter(-1, places, by_k & by_p)
    kept = kept.flip(-1) if equal == "higher" else kept
    fill = {"0": 0.0, "-1e9": -1e9, "smallest": torch.finfo(logits.dtype).min}.get(filled, -math.inf)
    dropped = logits.masked_fill(~kept, fill)
    if filled == "sorted":
        return values.masked_fill(~(by_k & by_p), -math.inf)
    if filled == "mask of the order":
        return logits.masked_fill(~(by_k & by_p), -math.inf)
    if filled == "gathered":
        return values.masked_fill(~(by_k & by_p), -math.inf).gather(-1, places)
    return {"probabilities": dropped.softmax(-1), "log": dropped.log_softmax(-1)}.get(filled, dropped)


@task.mistake("`topk` promises nothing about which of equal logits it takes", "", _EQUAL)
def topk(logits, top_k=None, top_p=None):
    """Leave the choice of equal logits to `topk`."""
    if top_k is not None:
        values, places = logits.topk(min(top_k, logits.shape[-1]))
        logits = torch.full_like(logits, -math.inf).scatter(-1, places, values)
    return filter_logits(logits, None, top_p)


@task.mistake("`topk` is asked for more tokens than there are", "", "what should `top_k=9` do with four tokens?")
def topk_beyond(logits, top_k=None, top_p=None):
    """Take the k-th largest logit, also where there is none."""
    if top_k is not None:
        logits.topk(top_k)
    return filter_logits(logits, top_k, top_p)


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


def drawn(shape, top_k=None, top_p=None, dtype=torch.float64):
    """Draw logits."""
    return lambda draw: (draw(*shape, dtype=dtype, scale=1.5), top_k, top_p)


def equal_ones(top_k=None, top_p=None):
    """Take rows in which several logits are equal."""
    return lambda draw: (torch.tensor([[1.0, 3.0, 3.0, 1.0, 3.0, 3.0], [2.0, 2.0, 2.0, 2.0, 2.0, 2.0]]), top_k, top_p)


EXPECTED = "the logits of what stays as they came, and -inf for what is dropped, in the same shape"
task.require(
    "without top_k and top_p nothing is dropped",
    EXPECTED,
    [Case("2 rows of 5 tokens, nothing asked for", round_ones())],
    [Case("a batch, nothing asked for", drawn((2, 3, 7)))],
)
task.require(
    "top_k keeps the k most probable tokens",
    EXPECTED,
    [Case("2 rows of 5 tokens, top_k 2", round_ones(2)), Case("3 x 2 rows of 7 tokens, top_k 4", drawn((3, 2, 7), 4)),
     Case("one row without a batch, top_k 1", drawn((6,), 1)),
     Case("2 rows of 4 tokens, top_k 9", drawn((2, 4), 9))],
    [Case("more than there are", drawn((3, 5), 8)), Case("as many as there are", drawn((2, 4), 4)),
     Case("another number", drawn((4, 11), 3))],
)  # fmt: skip
task.require(
    "top_p keeps the fewest tokens that together have at least p",
    EXPECTED,
    [Case("2 rows of 5 tokens, top_p 0.72", round_ones(None, 0.72)), Case("top_p 0.33", round_ones(None, 0.33)),
     Case("3 times 2 rows of 7 tokens, top_p 0.6", drawn((3, 2, 7), None, 0.6))],
    [Case("p 0.87", round_ones(None, 0.87)), Case("many tokens, p 0.9", drawn((3, 20), None, 0.9)),
     Case("one row without a batch, p 0.4", drawn((8,), None, 0.4))],
    _FEW,
)  # fmt: skip
task.require(
    "with both, top_k comes first",
    EXPECTED,
    [Case("2 rows of 5 tokens, top_k 3 and top_p 0.75", round_ones(3, 0.75)),
     Case("2 rows of 5 tokens, top_k 2 and top_p 0.5", round_ones(2, 0.5)),
     Case("5 rows of 9 tokens, top_k 4 and top_p 0.8", drawn((5, 9), 4, 0.8))],
    [Case("k decides", drawn((4, 9), 2, 0.99)), Case("p decides", drawn((4, 9), 8, 0.3)),
     Case("both decide", drawn((30, 6), 4, 0.7))],
)  # fmt: skip
task.require(
    "of equal tokens at the border the lower ids stay",
    EXPECTED,
    [
        Case("equal logits, top_k 2", equal_ones(2)),
        Case("equal logits, top_p 0.6", equal_ones(None, 0.6)),
        Case("4 equal logits, top_p 0.5", (torch.zeros(2, 4, dtype=torch.float64), None, 0.5)),
    ],
    [Case("equal logits, top_k 5", equal_ones(5)), Case("equal logits, both", equal_ones(4, 0.6))],
    _EQUAL,
)
task.limits(
    "one token, top_p 0 and 1, and wrong input",
    [
        Case("one token", drawn((3, 1), 1, 0.5)),
        Case("top_p 0", drawn((3, 5), None, 0.0)),
        Case("top_p 1", round_ones(None, 1.0)),
        refusal("top_k 0", drawn((2, 3), 0), "top_k"),
        refusal("top_p above 1", drawn((2, 3), None, 1.5), "top_p"),
        refusal("logits that are integers", (torch.tensor([1, 2]),), "logits"),
    ],
)
