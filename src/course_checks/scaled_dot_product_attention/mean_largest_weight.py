"""Task `mean_largest_weight` of exercise 04, and the predictions that it answers."""

import math

import torch

from course_checks.cases import Case
from course_checks.predictions import Predictions, tendency
from course_checks.scaled_dot_product_attention.shared import READY_MADE, UNIT
from course_checks.task import Task
from course_checks.words import Finding

task = Task("mean_largest_weight", UNIT, READY_MADE)


@task.oracle
def right(d_k: int, divisor: float) -> float:
    """Measure it with ten times as many queries, and a generator of its own."""
    generator = torch.Generator().manual_seed(1)
    query = torch.randn(10_000, d_k, 1, generator=generator)
    products = torch.randn(10_000, 16, d_k, generator=generator) @ query
    return torch.softmax(products.squeeze(-1) / divisor, -1).amax(-1).mean().item()


# fmt: off
_SHAPE = "print the shape of the weights"
_KEYS = "query @ key.transpose(-2, -1) / divisor"
task.edit(f"softmax({_KEYS})", {
    f"torch.softmax({_KEYS}, 0)": ("softmax runs over another dimension than the 16 keys", _SHAPE),
    f"torch.softmax({_KEYS}, 1)": ("softmax runs over a dimension of size 1, so that every weight is 1",
                                   f"{_SHAPE}: over which dimension do they sum to 1?", "it is 1"),
})
task.edit(" / divisor)", {
    ")": ("the products are not divided by `divisor`", "which line uses `divisor`?"),
    " / divisor / math.sqrt(d_k))": ("the products are divided by sqrt(d_k) as well as by `divisor`",
        "`attention_weights` divides already: use softmax itself"),
    " / math.sqrt(d_k)) / divisor": ("weights are divided by `divisor`: those of `attention_weights`, which come out "
        "of softmax", "divide the dot products, then take softmax"),
    ") / divisor": ("the division comes after softmax: weights are divided, not dot products",
        "divide the dot products, then take softmax"),
    " * divisor)": ("the products are multiplied by `divisor`", "divide the dot products"),
})
task.edit("weights.amax(dim=-1).mean().item()", {
    # Chance alone parts these two: the largest of 16 means of 1000 weights is little more than 1/16.
    "weights.mean(dim=0).max().item()": ("the mean over the queries comes first and the largest afterwards, or all "
        "weights are averaged: that is near 1/16 whatever the scores are",
        "take the largest weight of each query first", "it is near 1/16"),
    "weights.amin(dim=-1).mean().item()": (
        "the smallest weight of each query is taken", "take the largest weight of each query"),
    "weights.max().item()": ("the largest of all weights, not the mean over the queries",
                             "first the largest of each row, then the mean"),
    "weights.amax(dim=-1).mean()": (
        "the result is still a tensor", "turn a tensor of one number into a Python number with `.item()`"),
})
task.edit_all("torch.randn", {"torch.rand": ("the numbers are uniform (`torch.rand`), not normal (`torch.randn`)",
                                             "the task asks for standard normal numbers")})
task.edit("query, key = torch.randn(1000, 1, d_k), torch.randn(1000, 16, d_k)", {
    "key = torch.randn(1000, 16, d_k)\nquery = key[:, :1]": (
        "query and keys are the same numbers", "draw queries and keys one after the other")})
# fmt: on

EXPECTED = "a Python number: the mean, over 1000 random queries, of the largest of 16 weights"
# 6.5 standard errors of a mean over 1000 queries: chance alone fails one right answer in a billion.
task.require("the numbers are those of 1000 random queries with 16 keys each", EXPECTED,
             [Case("d_k = 16, dot products divided by 4", (16, 4.0), within=0.025),
              Case("d_k = 64, dot products divided by 1", (64, 1.0), within=0.05)],
             [Case("another d_k, divided by its root", (36, 6.0), within=0.025),
              Case("another d_k, divided by 1", (8, 1.0), within=0.05),
              Case("divided by a number below 1", (20, 0.5), within=0.05),
              Case("divided by a very large number", (9, 1e6), within=1e-4)],
             "print the shape of the weights: (1000, 1, 16)")  # fmt: skip


def own_keys(answer):
    """Observe whether several calls lie as far apart as the means of 1000 queries do that share no keys."""
    why = "how many different keys are there, and which of them does one query meet?"
    for d_k, divisor, calls, standard_error in ((128, 11.0, 12, 0.0029), (2, 1.0, 16, 0.0057)):
        ratio = torch.tensor([float(answer(d_k, divisor)) for _ in range(calls)]).std().item() / standard_error
        if ratio > 3:  # for d_k = 2: 9 with keys in common, 24 with one query for all
            raise Finding("called again, it gives numbers that lie far apart", "", "all queries meet the same 16 keys, "
                          "or all keys the same query: chance does not average out", why, final=True)  # fmt: skip
        if d_k == 128 and ratio < 0.2:  # 0.1 with the keys of all; a right answer once in a million times
            raise Finding("called again, it gives numbers that lie too close together", "", "one product compares each "
                          "query with the keys of all 1000, not with its own 16 alone", why, final=True)  # fmt: skip
    return True


task.require("each query meets 16 keys of its own",
             "measurements that lie as far apart as means over 1000 queries do, each with 16 keys of its own",
             [Case("several calls with d_k = 128, and with d_k = 2", (), own_keys, right=True)])  # fmt: skip


def _measure() -> list[str]:
    return [tendency(right(4, divide(4)), right(256, divide(256))) for divide in (lambda d_k: 1.0, math.sqrt, float)]


predictions = Predictions(("1", "sqrt(d_k)", "d_k"), _measure, "task 4")
