"""Task `mean_largest_weight` of exercise 04, and the predictions that it answers."""

import math

import torch

from course_checks.cases import Case
from course_checks.predictions import Predictions, tendency
from course_checks.scaled_dot_product_attention.shared import READY_MADE, UNIT
from course_checks.task import Task
from course_checks.words import Wrong

task = Task("mean_largest_weight", UNIT, READY_MADE)


@task.oracle
def right(d_k: int, divisor: float) -> float:
    """Measure it with ten times as many queries, and a generator of its own."""
    generator = torch.Generator().manual_seed(1)
    query = torch.randn(10_000, d_k, 1, generator=generator)
    products = torch.randn(10_000, 16, d_k, generator=generator) @ query
    return torch.softmax(products.squeeze(-1) / divisor, -1).amax(-1).mean().item()


@task.pipeline(
    axis={
        "queries": Wrong("softmax runs over another dimension than the 16 keys", "", "print the shape of the weights"),
        "one": Wrong("softmax runs over a dimension of size 1, so that every weight is 1", "it is 1",
                     "print the shape of the weights: over which dimension do they sum to 1?"),
    },
    scale={
        "none": Wrong("the products are not divided by `divisor`", "", "which line uses `divisor`?"),
        "also root": Wrong("the products are divided by sqrt(d_k) as well as by `divisor`", "",
                           "`attention_weights` divides already: use softmax itself"),
        "weights": Wrong("weights are divided by `divisor`: those of `attention_weights`, which come out of softmax",
                         "", "divide the dot products, then take softmax"),
        "times": Wrong("the products are multiplied by `divisor`", "", "divide the dot products"),
    },
    taken={
        "mean": Wrong("the mean of all weights, which is 1/16 whatever the scores are", "it is 1/16",
                      "take the largest weight of each query first"),
        "smallest": Wrong("the smallest weight of each query is taken", "", "take the largest weight of each query"),
        "largest of all": Wrong("the largest of all weights, not the mean over the queries", "",
                                "first the largest of each row, then the mean"),
        "tensor": Wrong("the result is still a tensor", "", "turn a tensor of one number into a Python number with "
                        "`.item()`"),
    },
    drawn={
        "uniform": Wrong("the numbers are uniform (`torch.rand`), not normal (`torch.randn`)", "",
                         "the task asks for standard normal numbers"),
        "same keys": Wrong("query and keys are the same numbers", "", "draw queries and keys one after the other"),
    },
)  # fmt: skip
def mean_largest_weight(d_k, divisor, *, axis="keys", scale="divisor", taken="mean of the largest", drawn="normal"):
    """Run the experiment with one choice for each step."""
    rand = torch.rand if drawn == "uniform" else torch.randn
    key = rand(1000, 16, d_k)
    query = key[:, :1] if drawn == "same keys" else rand(1000, 1, d_k)
    products = query @ key.transpose(-2, -1)  # (1000, 1, 16)
    factor = {"none": 1, "weights": math.sqrt(d_k), "also root": divisor * math.sqrt(d_k), "times": 1 / divisor}.get(
        scale, divisor
    )
    weights = torch.softmax(products / factor, {"queries": 0, "one": 1}.get(axis, -1))
    weights = weights / divisor if scale == "weights" else weights
    if taken == "largest of all":
        return weights.max().item()
    if taken == "mean":
        return weights.mean().item()
    result = (weights.amin(-1) if taken == "smallest" else weights.amax(-1)).mean()
    return result if taken == "tensor" else result.item()


EXPECTED = "a Python number: the mean, over 1000 random queries, of the largest of 16 weights"
# 6.5 standard errors of a mean over 1000 queries: chance alone fails one right answer in a billion.
task.require(
    "the numbers are those of 1000 random queries with 16 keys each",
    EXPECTED,
    [Case("d_k = 16, dot products divided by 4", (16, 4.0), within=0.025),
     Case("d_k = 64, dot products divided by 1", (64, 1.0), within=0.05)],
    [Case("another d_k, divided by its root", (36, 6.0), within=0.025),
     Case("another d_k, divided by 1", (8, 1.0), within=0.05),
     Case("divided by a number below 1", (20, 0.5), within=0.05),
     Case("divided by a very large number", (9, 1e6), within=1e-4)],
    "print the shape of the weights: (1000, 1, 16)",
)  # fmt: skip


def _measure() -> list[str]:
    return [tendency(right(4, divide(4)), right(256, divide(256))) for divide in (lambda d_k: 1.0, math.sqrt, float)]


predictions = Predictions(("1", "sqrt(d_k)", "d_k"), _measure, "task 4")
