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
from course_checks.words import Wrong

task = Task("LayerNorm", UNIT, ("layer_norm", "batch_norm", "group_norm", "instance_norm", "rms_norm"))
task.oracle(nn.LayerNorm)

_WORD = "take one word, `x[0, 0]`: its d_model numbers, and no others, give its mean and its variance"
_ROOT = "eps stands under the root, beside the variance: look where your brackets close"
_ENDS = "set the gain to 2 and the shift to 3, and look at one word"
_START = "which gain and which shift leave a number as it is?"


@task.builds(
    over={
        -2: Wrong("mean and variance go over the positions of the sentence", "", _WORD),
        0: Wrong("mean and variance go over the first dimension, the sentences of the batch", "", _WORD),
        (-2, -1): Wrong("mean and variance go over a whole sentence: positions and features", "", _WORD),
        (0, 1): Wrong("mean and variance go over batch and positions, as in batch normalisation", "", _WORD),
        (): Wrong("mean and variance go over all numbers of the tensor", "", _WORD),
    },
    variance={
        "unbiased": Wrong("the variance is divided by d_model - 1 (the default of `std` and `var`), not by d_model", "",
                          "see `unbiased` or `correction`"),
        "squares": Wrong("the variance is the mean of the squares of x itself, not of x - mean", "", _WORD),
        "difference": Wrong("the variance is the mean of the squares minus the square of the mean, a difference of two "
                            "large numbers", "the digits are lost, although the same x without the large number is "
                            "right", "subtract the mean first, then take the mean of the squares"),
        "constant": Wrong("mean and variance are cut off from the graph (`detach`, `no_grad`): both depend on x", "",
                          "which lines of `forward` does the gradient go through?"),
    },
    divide={
        "variance": Wrong("the division is by the variance, not by its root", "", "multiply x by 4: should the result "
                          "change?"),
        "outside": Wrong("eps is added to the standard deviation, outside the root", "", _ROOT),
        "no eps": Wrong("eps is not used", "", _ROOT),
        "fixed": Wrong("the number 1e-5 stands in `forward`, in the place of `eps`", "", "keep `eps`, and use it"),
        "at least": Wrong("eps is the smallest variance (`clamp`, `maximum`) in the place of a summand", "", _ROOT),
        "root first": Wrong("the root of the variance is taken before eps is added: at a variance of 0 its slope is "
                            "infinite", "", "add eps to the variance, then take the root"),
        "nothing": Wrong("nothing is divided", "", _WORD),
    },
    centre={
        "never": Wrong("the mean is not subtracted above the fraction", "", "the formula has two statistics"),
        "not at all": Wrong("the mean is nowhere subtracted (that is RMSNorm)", "", "the formula has two statistics"),
    },
    affine={
        "shift": Wrong("weight is not used", "the gain has no effect", _ENDS),
        "gain": Wrong("bias is not used", "the shift has no effect", _ENDS),
        "none": Wrong("weight and bias are not used", "", _ENDS),
        "exchanged": Wrong("weight is added and bias multiplied", "", _ENDS),
        "shift first": Wrong("the shift comes before the gain", "", "first times weight, then plus bias"),
        "one more": Wrong("1 is added to weight, as some models do", "", "here weight itself is the gain"),
    },
    start={
        (0, 1): Wrong("the starting values of gain and shift are exchanged", "", _START),
        (0, 0): Wrong("the gain starts with zeros", "", _START),
        (1, 1): Wrong("the shift starts with ones", "", _START),
        "random": Wrong("the parameters start at random", "", _START),
        "one number": Wrong("there is one gain and one shift for all features; every feature has its own", "", _START),
        "plain": Wrong("weight and bias are plain tensors or buffers, which nothing learns, or have other names than "
                       "in the task", "", "see `nn.Parameter`"),
    },
)  # fmt: skip
def make(*, over=-1, variance="right", divide="root", centre="always", affine="both", start=(1, 0)):
    """Make a norm with one choice for each step."""

    class Norm(nn.Module):
        def __init__(self, d_model, eps=1e-5):
            super().__init__()
            size, values = 1 if start == "one number" else d_model, start if type(start) is tuple else (1, 0)
            weight, bias = (torch.full((size,), float(each)) for each in values)
            weight = torch.randn(size) if start == "random" else weight
            self.weight, self.bias = (each if start == "plain" else nn.Parameter(each) for each in (weight, bias))
            self.eps = {"fixed": 1e-5, "no eps": 0.0}.get(divide, eps)

        def forward(self, x):
            mean = x.mean(over, keepdim=True)
            centred = x if centre == "not at all" else x - mean
            spread = (x if variance == "squares" else centred).square().mean(over, keepdim=True)
            if variance == "unbiased":
                spread = spread * x.shape[-1] / max(x.shape[-1] - 1, 1)
            if variance == "difference":
                spread = (x.square().mean(over, keepdim=True) - mean.square()).clamp(min=0)
            if variance == "constant":
                centred, spread = x - mean.detach(), spread.detach()
            by = {"variance": spread + self.eps, "outside": spread.sqrt() + self.eps, "nothing": 1,
                  "root first": (spread.sqrt().square() + self.eps).sqrt(),
                  "at least": spread.clamp(min=self.eps).sqrt()}.get(divide, (spread + self.eps).sqrt())  # fmt: skip
            normal = (x if centre == "never" else centred) / by
            weight, bias = self.weight, self.bias
            return {
                "shift": normal + bias, "gain": normal * weight, "none": normal, "exchanged": normal * bias + weight,
                "shift first": (normal + bias) * weight, "one more": normal * (1 + weight) + bias,
            }.get(affine, normal * weight + bias)  # fmt: skip

    return Norm


def at_first(answer):
    """Observe what there is to learn before any training."""
    module = answer(8)
    require_parameters(module, {"weight": (8,), "bias": (8,)})
    return {name: parameter.detach() for name, parameter in unwrapped(module).named_parameters()}


def norm(d_model, then=None, evaluate=False, **options):
    """Observe a norm with known weights."""
    return observing(making(d_model, shapes={"weight": (d_model,), "bias": (d_model,)}, **options), then, evaluate)


def words(*shape, **options):
    """Draw words that have neither mean 0 nor variance 1."""
    return drawn(*shape, **{"scale": 3.0, "offset": -2.0} | options)


def constant(draw):
    """Draw words, one of them with features that are all the same."""
    return (torch.cat([draw(2, 3, 6, dtype=torch.float64), torch.full((2, 1, 6), 3.0, dtype=torch.float64)], 1),)


task.require(
    "one gain and one shift for each feature, which change nothing at first",
    "parameters `weight` and `bias` of shape (d_model,), which change nothing at first",
    [Case("d_model = 8, before any training", (), at_first)],
)


@task.probe("a word is normalised by itself", "the result of a word depends on its own features alone",
            "mean and variance are taken over more than the features of one word", _WORD)  # fmt: skip
def alone(answer):
    """2 sentences of 5 words, of which the last is changed."""
    return words_that_move(making(8, shapes={"weight": (8,), "bias": (8,)})(answer), 8)


single = torch.float32
task.require(
    "mean 0 and variance 1 over the features of each word, then gain and shift",
    "(x - mean) / sqrt(variance + eps) of each word, times weight, plus bias",
    [
        Case("2 sentences of 5 words, d_model = 8", words(2, 5, 8), norm(8)),
        Case("numbers of size 0.001", drawn(2, 5, 8, scale=1e-3), norm(8)),
        Case("eps = 0.5", words(2, 5, 8), norm(8, eps=0.5)),
        Case("one word, d_model = 6, evaluation mode", words(6), norm(6, evaluate=True)),
        Case("float32, no batch", words(3, 6, dtype=single), norm(6, dtype=single)),
    ],
    [
        Case("two features", words(3, 4, 2), norm(2, eps=0.1)),
        Case("as many sentences as words as features", words(4, 4, 4), norm(4, eps=1e-3)),
        Case("four dimensions", words(2, 3, 4, 6), norm(6, evaluate=True)),
        Case("numbers of size 1e-4", drawn(2, 3, 8, scale=1e-4), norm(8)),
        Case("eps = 0", words(2, 5), norm(5, eps=0.0)),
    ],
    "work out one word with two features by hand",
)
task.require(
    "numbers far from 0 keep their digits",
    "the formula's own steps: first the mean, then the squares of what is left",
    [Case("float32, numbers around 3000", words(5, 8, offset=3e3, dtype=single), norm(8, dtype=single), within=0.02)],
    [Case("numbers around 100 000", words(2, 3, 8, offset=1e5), norm(8), within=1e-6)],
)
task.require(
    "gradients, which are finite for constant features too",
    "the derivative of the formula",
    [Case("the gradient of x, and a word whose features are all the same", constant, norm(6, gradients_of)),
     Case("the gradients of weight and bias", words(2, 5, 8), norm(8, parameter_gradients))],
    [Case("the gradient of x, eps = 0.1", words(2, 3, 8), norm(8, gradients_of, eps=0.1)),
     Case("the gradients of weight and bias, d_model = 6", constant, norm(6, parameter_gradients))],
)  # fmt: skip
task.limits(
    "one feature, and wrong input",
    [
        Case("one feature", words(2, 3, 1), norm(1)),
        refusal("d_model = 0", (0,), "d_model"),
        refusal("a negative eps", (4, -1e-5), "eps"),
        refused("three features in the place of four", (4,), torch.ones(2, 5, 3)),
        refused("a single number", (4,), torch.tensor(1.0)),
    ],
)
