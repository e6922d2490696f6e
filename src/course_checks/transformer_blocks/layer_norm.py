"""Task `LayerNorm` of exercise 09."""

import torch
from torch import nn

from course_checks.cases import Case, refusal
from course_checks.modules import parameter_gradients, require_parameters, unwrapped
from course_checks.task import Task
from course_checks.transformer_blocks.shared import (
    UNIT,
    drawn,
    gradients_of,
    making,
    observing,
    refused,
    words_that_move,
)

task = Task("LayerNorm", UNIT, ("layer_norm", "batch_norm", "group_norm", "instance_norm", "rms_norm"))
task.oracle(nn.LayerNorm)

_WORD = "take one word, `x[0, 0]`: its d_model numbers, and no others, give its mean and its variance"
_ROOT = "eps stands under the root, beside the variance: look where your brackets close"
_ENDS = "set the gain to 2 and the shift to 3, and look at one word"
_TWO = "the formula has two statistics"
_START = "which gain and which shift leave a number as it is?"


# fmt: off
_MEAN, _VARIANCE = "x.mean(dim=-1, keepdim=True)", "centred.square().mean(dim=-1, keepdim=True)"
task.edit_all("mean(dim=-1, keepdim=True)", {
    f"mean(dim={over}, keepdim=True)": (f"mean and variance go over {what}", _WORD) for over, what in {
        "-2": "the positions of the sentence",
        "0": "the first dimension, the sentences of the batch",
        "(-2, -1)": "a whole sentence: positions and features",
        "(0, 1)": "batch and positions, as in batch normalisation",
        "()": "all numbers of the tensor"}.items()})
task.edit(_MEAN, {f"x.mean(dim={over}, keepdim=True)": (
    "the mean that is subtracted goes over other numbers than those of one word", _WORD) for over in (0, -2)})
task.edit(_VARIANCE, {
    "centred.square().sum(dim=-1, keepdim=True)": ("the squares are added up, not averaged", _WORD),
    "centred.square().sum(dim=-1, keepdim=True) / max(self.d_model - 1, 1)": (
        "the variance is divided by d_model - 1 (the default of `std` and `var`), not by d_model",
        "see `unbiased` or `correction`"),
    "x.square().mean(dim=-1, keepdim=True)": (
        "the variance is the mean of the squares of x itself, not of x - mean", _WORD),
    f"(x.square().mean(dim=-1, keepdim=True) - {_MEAN}.square()).clamp(min=0)": (
        "the variance is the mean of the squares minus the square of the mean, a difference of two large numbers",
        "subtract the mean first, then take the mean of the squares",
        "the digits are lost, although the same x without the large number is right")})
task.edit("eps: float = 1e-5", {"eps: float = 1e-6": (
    "`eps` has another default than in the task", "compare the signature with that of the task")})
task.edit_places({_MEAN: f"{_MEAN}.detach()", _VARIANCE: f"{_VARIANCE}.detach()"},
                 "mean and variance are cut off from the graph (`detach`, `no_grad`): both depend on x",
                 "which lines of `forward` does the gradient go through?")
task.edit("(variance + self.eps).sqrt()", {
    "(variance + self.eps)": (
        "the division is by the variance, not by its root", "multiply x by 4: should the result change?"),
    "(variance.sqrt() + self.eps)": ("eps is added to the standard deviation, outside the root", _ROOT),
    "variance.sqrt()": ("eps is not used", _ROOT),
    "(variance + 1e-5).sqrt()": (
        "the argument `eps` is not used: 1e-5 stands in its place, in `__init__` or in `forward`",
        "keep `eps`, and use it"),
    "variance.clamp(min=self.eps).sqrt()": (
        "eps is the smallest variance (`clamp`, `maximum`) in the place of a summand", _ROOT),
    "(variance.sqrt().square() + self.eps).sqrt()": (
        "the root of the variance is taken before eps is added: at a variance of 0 its slope is infinite",
        "add eps to the variance, then take the root"),
    "1": ("nothing is divided", _WORD)})
task.edit("return centred", {"return x": ("the mean is not subtracted above the fraction", _TWO)})
task.edit(f"x - {_MEAN}", {"x": ("the mean is nowhere subtracted (that is RMSNorm)", _TWO)})
task.edit(" * self.weight + self.bias", {
    " + self.bias": ("weight is not used", _ENDS, "the gain has no effect"),
    " * self.weight": ("bias is not used", _ENDS, "the shift has no effect"),
    "": ("weight and bias are not used", _ENDS),
    " * self.bias + self.weight": ("weight is added and bias multiplied", _ENDS),
    " * self.weight + self.bias * self.weight": (
        "the shift comes before the gain", "first times weight, then plus bias"),
    " * (1 + self.weight) + self.bias": ("1 is added to weight, as some models do", "here weight itself is the gain")})
task.edit("torch.ones(d_model)", {
    "torch.zeros(d_model)": ("the gain starts with zeros", _START),
    "torch.randn(d_model)": ("the parameters start at random", _START)})
task.edit("torch.zeros(d_model)", {"torch.ones(d_model)": ("the shift starts with ones", _START)})
for _name, _start in (("weight", "ones"), ("bias", "zeros")):
    task.edit(f"nn.Parameter(torch.{_start}(d_model))", {f"torch.{_start}(d_model)": (
        f"{_name} is missing, or it is a plain tensor or a buffer, which nothing learns", "see `nn.Parameter`")})
for _gain, _shift, *_words in (
    ("nn.Parameter(torch.zeros(d_model))", "nn.Parameter(torch.ones(d_model))",
     "the starting values of gain and shift are exchanged", _START),
    ("nn.Parameter(torch.ones(1))", "nn.Parameter(torch.zeros(1))",
     "there is one gain and one shift for all features; every feature has its own", _START),
    ("torch.ones(d_model)", "torch.zeros(d_model)", "weight and bias are plain tensors or buffers, which nothing "
     "learns, or have other names than in the task", "see `nn.Parameter`"),
):
    task.edit_places({
        "nn.Parameter(torch.ones(d_model))": _gain, "nn.Parameter(torch.zeros(d_model))": _shift}, *_words)
# fmt: on


def at_first(answer):
    """Observe what there is to learn before any training."""
    module = answer(8)
    require_parameters(module, {"weight": (8,), "bias": (8,)})
    return {name: parameter.detach() for name, parameter in unwrapped(module).named_parameters()}


def norm(d_model, then=None, evaluate=False, **options):
    """Observe a norm with known weights."""
    return observing(making(nn.LayerNorm, d_model, **options), then, evaluate)


def words(*shape, **options):
    """Draw words that have neither mean 0 nor variance 1."""
    return drawn(*shape, **{"scale": 3.0, "offset": -2.0} | options)


def constant(draw):
    """Draw words, one of them with features that are all the same."""
    return (torch.cat([draw(2, 3, 6, dtype=torch.float64), torch.full((2, 1, 6), 3.0, dtype=torch.float64)], 1),)


task.require("one gain and one shift for each feature, which change nothing at first",
    "parameters `weight` and `bias` of shape (d_model,), which change nothing at first",
    [Case("d_model = 8, before any training", (), at_first)])  # fmt: skip


@task.probe("a word is normalised by itself", "the result of a word depends on its own features alone",
            "mean and variance are taken over more than the features of one word", _WORD)  # fmt: skip
def alone(answer):
    """2 sentences of 5 words, of which the last is changed."""
    return words_that_move(making(nn.LayerNorm, 8)(answer), 8)


# fmt: off
single = torch.float32
task.require("mean 0 and variance 1 over the features of each word, then gain and shift",
    "(x - mean) / sqrt(variance + eps) of each word, times weight, plus bias",
    [Case("2 sentences of 5 words, d_model = 8", words(2, 5, 8), norm(8)),
     Case("numbers of size 0.001", drawn(2, 5, 8, scale=1e-3), norm(8)),
     Case("eps = 0.5", words(2, 5, 8), norm(8, eps=0.5)),
     Case("one word, d_model = 6, evaluation mode", words(6), norm(6, evaluate=True)),
     Case("float32, no batch", words(3, 6, dtype=single), norm(6, dtype=single))],
    [Case("two features", words(3, 4, 2), norm(2, eps=0.1)),
     Case("as many sentences as words as features", words(4, 4, 4), norm(4, eps=1e-3)),
     Case("four dimensions", words(2, 3, 4, 6), norm(6, evaluate=True)),
     Case("numbers of size 1e-4", drawn(2, 3, 8, scale=1e-4), norm(8)), Case("eps = 0", words(2, 5), norm(5, eps=0.0))],
    "work out one word with two features by hand")
task.require("numbers far from 0 keep their digits",
    "the formula's own steps: first the mean, then the squares of what is left",
    [Case("float32, numbers around 3000", words(5, 8, offset=3e3, dtype=single), norm(8, dtype=single), within=0.02)],
    [Case("numbers around 100 000", words(2, 3, 8, offset=1e5), norm(8), within=1e-6)])
task.require("gradients, which are finite for constant features too", "the derivative of the formula",
    [Case("the gradient of x, and a word whose features are all the same", constant, norm(6, gradients_of)),
     Case("the gradients of weight and bias", words(2, 5, 8), norm(8, parameter_gradients))],
    [Case("the gradient of x, eps = 0.1", words(2, 3, 8), norm(8, gradients_of, eps=0.1)),
     Case("the gradients of weight and bias, d_model = 6", constant, norm(6, parameter_gradients))])
task.limits("one feature, and wrong input",
    [Case("one feature", words(2, 3, 1), norm(1)), refusal("d_model = 0", (0,), "d_model"),
     refusal("a negative eps", (4, -1e-5), "eps"),
     refused("three features in the place of four", (4,), torch.ones(2, 5, 3)),
     refused("a single number", (4,), torch.tensor(1.0))])
