"""Task `rms_norm` of exercise 18."""

import torch
from torch.nn import functional as F

from course_checks.cases import Case, drawn, gradients, refusal
from course_checks.modern_transformer.shared import UNIT
from course_checks.task import Task

task = Task("rms_norm", UNIT, ("rms_norm", "layer_norm", "normalize"))
_BY_HAND = "take x = (1, 7), weight (1, 1) and eps 0: the root of (1 + 49) / 2 is 5"
_EPS = "take x = (0, 0), and then eps = 1: by what is x divided?"


@task.oracle
def right(x, weight, eps=1e-6):
    """Ask torch."""
    return F.rms_norm(x, weight.shape, weight, eps)


# fmt: off
_DEVIATION = ("x is divided by its standard deviation (`std`, `var`): the mean is taken out of the squares", _BY_HAND)
_WHOSE = "over which dimension does a position own its numbers?"
task.edit("x.square().mean(dim=-1, keepdim=True)", {
    "x.var(dim=-1, unbiased=False, keepdim=True)": _DEVIATION,
    "x.var(dim=-1, keepdim=True)": _DEVIATION,
    "x.mean(dim=-1, keepdim=True).square()": (
        "the mean is squared, not the numbers: first the squares, then their mean", _BY_HAND),
    "x.square().sum(dim=-1, keepdim=True)": ("the squares are added up, where their mean is wanted", _BY_HAND),
    "x.abs().mean(dim=-1, keepdim=True)": ("the mean is that of the absolute values, not of the squares", _BY_HAND),
    "x.square().mean()": ("the mean runs over the whole tensor, not over the features of each position", _WHOSE),
    "x.square().mean(dim=-2, keepdim=True)": (
        "the mean runs over the positions (the last dimension but one), not over the features", _WHOSE),
    "x.square().sum(dim=-1, keepdim=True) / len(x)": (
        "the sum of squares is divided by `len(x)`, the size of the first dimension", _WHOSE),
    "x.square().sum(dim=-1, keepdim=True) / (x.shape[-1] - 1)": (
        "the sum of squares is divided by d_model - 1", _BY_HAND)})
task.edit("torch.sqrt(mean_square + eps)", {
    "(x.std(dim=-1, keepdim=True) + eps)": _DEVIATION,
    "(mean_square + eps)": ("x is divided by the mean of the squares, not by its root", _BY_HAND),
    "(torch.sqrt(mean_square) + eps)": ("eps is added to the root, not to the mean of the squares inside it", _EPS),
    "torch.sqrt(mean_square)": ("`eps` is not used", _EPS, "a row of zeros becomes NaN"),
    "torch.sqrt(mean_square + 1e-6)": (
        "eps is a number of its own; the argument is not used", "which line uses `eps`?"),
    "torch.sqrt(mean_square + eps**2)": ("eps is squared", _EPS),
    "torch.sqrt(mean_square.clamp(min=eps))": (
        "eps is the least that the mean of the squares may be; it is to be added to it", _EPS)})
task.edit("x / ", {"x * ": ("x is multiplied by the root, not divided", _BY_HAND)})
task.edit("mean_square = ", {
    "x = x - x.mean(dim=-1, keepdim=True)\nmean_square = ": ("the mean is subtracted, as in layer norm; an RMS norm "
        "leaves it", "compare with what the text says about the mean", "each row has mean 0 before the gain"),
    "x = x.float()\nmean_square = ": ("the result has the dtype of the computation, float32, and not that of x",
        "bring the result back with `.to(x.dtype)`, or `.type_as(x)`")})
task.edit(" * weight", {
    "": ("`weight` is not used", "which line uses `weight`?"),
    " * (1 + weight)": ("the gain is 1 + weight, as in Gemma; here it is weight", "let weight be zeros"),
    " + weight": ("the gain is added; it is a factor", "let weight be zeros"),
    " / weight": ("what is normalised is divided by the gain", "let weight be (1, 10)")})
task.edit_places({"mean_square = ": "x = x * weight\nmean_square = ", " * weight": ""},
                 "x is multiplied by the gain before it is normalised", "the gain comes last")
# fmt: on

EXPECTED = "x / sqrt(mean of the squares of its features + eps) * weight, in the shape of x"
task.require(
    "each position is divided by the root of the mean of its squares, and the mean is left in it",
    EXPECTED,
    [Case("one row of 2 features", lambda draw: (torch.tensor([[1.0, 7.0]]), torch.tensor([1.0, 10.0]))),
     Case("2 sentences of 3 words, 5 features", drawn("2 3 5; 5", dtype=torch.float64)),
     Case("words whose mean is 4", lambda draw: (draw(3, 6) + 4, draw(6)))],
    [Case("a vector", drawn("7; 7", dtype=torch.float64)), Case("other sizes", drawn("4 2 9; 9")),
     Case("words whose mean is -2", lambda draw: (draw(2, 5, 4) - 2, draw(4)))],
    _BY_HAND,
)  # fmt: skip
task.require(
    "eps is added to the mean, inside the root",
    EXPECTED,
    [Case("eps 0.5", drawn("2 3 5; 5", 0.5)), Case("eps 3", drawn("4 6; 6", 3.0))],
    [Case("eps 0.2", drawn("3 8; 8", 0.2)), Case("small words, eps 1", drawn("2 2 4; 4", 1.0))],
    _EPS,
)
task.require(
    "gradients flow to x and to weight",
    "the derivative of the formula",
    [Case("the gradients, 3 words of 5 features", drawn("3 5; 5", 0.1), gradients())],
    [Case("the gradients, other sizes", drawn("2 3 4; 4"), gradients())],
)
task.limits(
    "words of zeros, float16, and wrong input",
    [
        Case("words of zeros", (torch.zeros(2, 3), torch.ones(3))),
        Case("float16", drawn("2 3 5; 5", 0.1, dtype=torch.float16)),
        refusal("a gain of another size", (torch.ones(2, 3), torch.ones(4)), "x"),
        refusal("x that holds integers", (torch.ones(2, 3, dtype=torch.long), torch.ones(3)), "x"),
    ],
)
