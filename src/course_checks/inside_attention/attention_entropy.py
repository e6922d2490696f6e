"""Task `attention_entropy` of exercise 12."""

import math

import torch

from course_checks.cases import GRADIENT, Case, Draw, refusal
from course_checks.inside_attention.inputs import UNIT, maps
from course_checks.task import Task

task = Task("attention_entropy", UNIT, ("special_entr", ".entr", "distributions"))
_ROW = "work out the row (1/2, 1/2, 0) by hand: its entropy is ln 2"
_ZERO = "keep the logarithm from meeting a 0: what can stand in its place, so that the product is 0 all the same?"


@task.oracle
def right(weights):
    """Add up -w ln w number by number, where w is not 0."""
    shown = [0.0 if w == 0 else -w * math.log(w) for w in weights.detach().double().flatten().tolist()]
    return torch.tensor(shown, dtype=torch.float64).view_as(weights).sum(-1).to(weights.dtype)


# fmt: off
task.edit("-(weights * logarithms).sum(dim=-1)", {
    "-(weights * logarithms).sum(dim=-2)": (
        "the sum runs over the queries (dim -2), not over the keys", "each row has one entropy"),
    "-(weights * logarithms).mean(dim=-1)": (
        "the mean over the keys is taken, not the sum", _ROW, "too small by the number of keys"),
    "-(weights * logarithms).sum(dim=-1).mean()": (
        "the entropies of all rows are averaged into one number", "each row has one entropy"),
    "-(weights * logarithms).sum()": ("all rows are added up into one number", "each row has one entropy"),
    "-(weights * logarithms)": ("the terms of a row are not summed", "the formula has a sum over j"),
    "(weights * logarithms).sum(dim=-1)": ("the minus sign is missing", _ROW, "every number has the wrong sign"),
    "-weights.sum(dim=-1)": ("the logarithm is missing", "the formula has w ln w"),
    "-(weights * logarithms).sum(dim=-1) / math.log(weights.shape[-1])": (
        "the entropy is divided by its largest value ln n", "nats, not a share"),
    "(-(weights * logarithms).sum(dim=-1)).exp()": (
        "the exponential of the entropy (the perplexity) is returned", "nats"),
})
task.edit("1.0).log()", {
    "1.0).log2()": ("the logarithm to the base 2: bits, not nats", "use the natural logarithm"),
    "1.0).log10()": ("the logarithm to the base 10", "use the natural logarithm"),
})
task.edit("torch.where(weights > 0, weights, 1.0)", {
    "weights": ("0 ln 0 is computed as it stands: 0 times -inf is NaN", _ZERO, "numbers are NaN"),
    "(weights + 1e-4)": ("a small number is added to the weights, or they are clamped", _ZERO,
                         "nearly right, or not quite"),
    "weights.log().nan_to_num(neginf=0.0).exp()": (
        "the result is made right at a weight of 0 (`xlogy`, `nan_to_num`, `where` at the end), its gradient is not",
        _ZERO),
    "weights.clamp(min=1e-12)": (
        "the weights are clamped in the logarithm: the result is nearly right, and the gradient at 0 is not 0", _ZERO),
} | {f"(weights + {small})": (
    "a small number is added in the logarithm: the result is nearly right, and the gradient at 0 is not 0", _ZERO)
    for small in (1e-6, 1e-8, 1e-9, 1e-10, 1e-12)})
task.edit("logarithms = ", {
    "weights = weights.clamp(min=1e-6)\nlogarithms = ": (
        "a weight of 0 is replaced by a small number before the formula", _ZERO, "nearly right, or not quite"),
    "weights = weights / weights.sum(dim=-1, keepdim=True)\nlogarithms = ": (
        "the rows are divided by their sums first, which the formula does not do: the gradient is another one",
        "the rows sum to 1 already"),
    "weights = torch.softmax(weights, -1)\nlogarithms = ": (
        "softmax is applied to the weights, which came out of it", "the rows sum to 1 already"),
})
# fmt: on


def slopes(answer, weights):
    """Observe the gradient of the sum of all entropies."""
    leaf = weights.detach().clone().requires_grad_()
    result = answer(leaf)
    return torch.autograd.grad(result.sum(), leaf)[0] if result.requires_grad else None


slopes.words = GRADIENT


def right_slopes(weights):
    """Differentiate by hand: -(ln w + 1), and 0 for a weight of 0."""
    return torch.where(weights > 0, -(weights.clamp(min=1e-300).log() + 1), 0.0)


def sloped(situation, draw_from):
    """Make a case whose right gradient is known by the formula."""
    weights = draw_from(Draw(situation))
    return Case(situation, draw_from, slopes, right=right_slopes(*weights))


EXPECTED = "the entropy of each row, -sum of w ln w, in nats"
task.require(
    "one entropy for each row, in nats",
    EXPECTED,
    [Case("maps of shape (2, 3, 4, 5)", maps(2, 3, 4, 5)), Case("one map of shape (6, 3)", maps(6, 3)),
     Case("maps under a causal mask", maps(2, 5, 5, hidden=True)),
     Case("float32, under a causal mask", maps(3, 4, 4, hidden=True, dtype=torch.float32))],
    [Case("a square", maps(4, 4)), Case("four equal sizes", maps(3, 3, 3, 3)),
     Case("five dimensions", maps(2, 4, 3, 5, 6)),
     Case("many keys", maps(8, 70)), Case("a causal mask, larger", maps(3, 2, 6, 6, hidden=True))],
)  # fmt: skip
task.require(
    "the gradient, which is 0 at a weight of 0",
    "the derivative of the formula, and 0 with respect to a weight of 0",
    [sloped("the gradient, maps of shape (2, 3, 4)", maps(2, 3, 4)),
     sloped("the gradient under a causal mask", maps(4, 4, hidden=True))],
    [sloped("the gradient, other maps under a causal mask", maps(2, 5, 5, hidden=True))],
)  # fmt: skip
task.limits(
    "rows without weight, one key, float16, and wrong input",
    [
        Case("a row of zeros", (torch.zeros(2, 3).double(),)),
        Case("one key", maps(5, 1)),
        Case("float16", maps(3, 4, dtype=torch.float16)),
        refusal("one row, without a dimension for the queries", (torch.tensor([0.5, 0.5]),)),
        refusal("integers", (torch.eye(3).long(),)),
        refusal("a negative weight", (torch.tensor([[1.5, -0.5]]),)),
    ],
)
