"""Task `LayerNorm` of exercise 09."""

import torch
from torch import nn

from course_checks.cases import Case, Draw, refusal, refuses
from course_checks.modules import parameter_gradients, unwrapped
from course_checks.outcomes import same
from course_checks.task import Task
from course_checks.transformer_blocks.shared import UNIT, gradients_of, making, observing
from course_checks.words import Wrong

task = Task("LayerNorm", UNIT, ("layer_norm", "batch_norm", "group_norm", "instance_norm", "rms_norm"))
task.oracle(nn.LayerNorm)

_WORD = "take one word, `x[0, 0]`: its d_model numbers, and no others, give its mean and its variance"
_ROOT = "eps stands under the root, beside the variance: look where your brackets close"
_UNBIASED = "the variance is divided by d_model - 1 (the default of `std` and `var`), not by d_model"
_ENDS = "set the gain to 2 and the shift to 3, and look at one word"
_START = "which gain and which shift leave a number as it is?"


@task.builds(
    over={
        -2: Wrong("mean and variance go over the positions of the sentence", "", _WORD),
        0: Wrong("mean and variance go over the first dimension, the sentences of the batch", "", _WORD),
        (-2, -1): Wrong("mean and variance go over a whole sentence: positions and features", "", _WORD),
        (0, 1): Wrong("mean and variance go over batch and positions, as in batch normalisation", "", _WORD),
        "all": Wrong("mean and variance go over all numbers of the tensor", "", _WORD),
    },
    divide={
        "unbiased": Wrong(_UNBIASED, "", "see `unbiased` or `correction`"),
        "std + eps": Wrong(_UNBIASED + "; and eps is added outside the root", "", "see `unbiased`; and " + _ROOT),
        "variance": Wrong("the division is by the variance, not by its root", "", "multiply x by 4: should the result "
                          "change?"),
        "outside": Wrong("eps is added to the standard deviation, outside the root", "", _ROOT),
        "no eps": Wrong("eps is not used", "", _ROOT),
        "fixed": Wrong("the number 1e-5 stands in `forward`, in the place of `eps`", "", "keep `eps`, and use it"),
        "at least": Wrong("eps is the smallest variance (`clamp`, `maximum`) in the place of a summand", "", _ROOT),
        "nothing": Wrong("nothing is divided", "", _WORD),
        "squares": Wrong("the variance is the mean of the squares of x itself, not of x - mean", "", _WORD),
        "absolute": Wrong("the mean absolute deviation takes the place of the standard deviation", "", _WORD),
        "difference": Wrong("the variance is the mean of the squares minus the square of the mean, a difference of two "
                            "large numbers", "the digits are lost, although the same x without the large number is "
                            "right", "subtract the mean first, then take the mean of the squares"),
        "constant": Wrong("mean and variance are cut off from the graph (`detach`, `no_grad`): both depend on x", "",
                          "which lines of `forward` does the gradient go through?"),
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
        "exchanged": Wrong("the starting values of gain and shift are exchanged", "", _START),
        "zeros": Wrong("the gain starts with zeros", "", _START),
        "ones": Wrong("the shift starts with ones", "", _START),
        "random": Wrong("the parameters start at random", "", _START),
        "one number": Wrong("there is one gain and one shift for all features; every feature has its own", "", _START),
        "plain": Wrong("weight and bias are plain tensors, or have other names than in the task", "", "`nn.Parameter`"),
    },
)  # fmt: skip
def make(*, over=-1, divide="root", centre="always", affine="both", start="right"):
    """Make a norm with one choice for each step."""

    class Norm(nn.Module):
        def __init__(self, d_model, eps=1e-5):
            super().__init__()
            size = 1 if start == "one number" else d_model
            weight, bias = torch.ones(size), torch.zeros(size)
            weight, bias = {"exchanged": (bias, weight), "zeros": (bias, bias), "ones": (weight, weight),
                            "random": (torch.randn(size), bias)}.get(start, (weight, bias))  # fmt: skip
            self.weight = weight if start == "plain" else nn.Parameter(weight.clone())
            self.bias = bias if start == "plain" else nn.Parameter(bias.clone())
            self.eps = 1e-5 if divide == "fixed" else 0.0 if divide == "no eps" else eps

        def forward(self, x):
            dims = tuple(range(x.dim())) if over == "all" else over
            mean = x.mean(dims, keepdim=True)
            centred = x if centre == "not at all" else x - mean
            variance = (x if divide == "squares" else centred).square().mean(dims, keepdim=True)
            if divide in ("unbiased", "std + eps"):
                variance = variance * x.shape[-1] / max(x.shape[-1] - 1, 1)
            if divide == "difference":
                variance = (x.square().mean(dims, keepdim=True) - mean.square()).clamp(min=0)
            if divide == "constant":
                centred, variance = x - mean.detach(), variance.detach()
            deviation = {
                "variance": lambda: variance + self.eps,
                "outside": lambda: variance.sqrt() + self.eps,
                "std + eps": lambda: variance.sqrt() + self.eps,
                "at least": lambda: variance.clamp(min=self.eps).sqrt(),
                "nothing": lambda: 1,
                "absolute": lambda: centred.abs().mean(dims, keepdim=True) + self.eps,
            }.get(divide, lambda: (variance + self.eps).sqrt())()
            normal = (x if centre == "never" else centred) / deviation
            return {
                "shift": lambda: normal + self.bias,
                "gain": lambda: normal * self.weight,
                "none": lambda: normal,
                "exchanged": lambda: normal * self.bias + self.weight,
                "shift first": lambda: (normal + self.bias) * self.weight,
                "one more": lambda: normal * (1 + self.weight) + self.bias,
            }.get(affine, lambda: normal * self.weight + self.bias)()

    return Norm


def parameters(answer):
    """Observe what there is to learn before any training."""
    module = unwrapped(answer(8))
    return {name: parameter.detach() for name, parameter in module.named_parameters()}


def norm(d_model, then=None, evaluate=False, dtype=torch.float64, **options):
    """Observe a norm with known weights."""
    shapes = {"weight": (d_model,), "bias": (d_model,)}
    return observing(making(d_model, shapes=shapes, dtype=dtype, **options), then, evaluate)


def drawn(*shape, scale=3.0, offset=-2.0, dtype=torch.float64):
    """Draw words that have neither mean 0 nor variance 1."""
    return lambda draw: (draw(*shape, scale=scale, dtype=dtype) + offset,)


def constant(draw):
    """Draw words, one of them with features that are all the same."""
    return (torch.cat([draw(2, 3, 6, dtype=torch.float64), torch.full((2, 1, 6), 3.0, dtype=torch.float64)], 1),)


def far(draw):
    """Draw whole numbers around 3000: their mean is nearly exact in float32."""
    return ((3 * draw(2, 5, 8)).round() + 3000,)


FORMULA = "(x - mean) / sqrt(variance + eps) of each word, times weight, plus bias"
task.require(
    "one gain and one shift for each feature, which change nothing at first",
    "parameters `weight` and `bias` of shape (d_model,), which change nothing at first",
    [Case("d_model = 8, before any training", (), parameters)],
)


@task.probe(
    "a word is normalised by itself",
    "the result of a word depends on its own features alone",
    "mean and variance are taken over more than the features of one word",
    _WORD,
)
def alone(answer):
    """2 sentences of 5 words, of which the last is changed."""
    module = making(8)(answer)
    (x,) = drawn(2, 5, 8)(Draw("words"))
    other = x.clone()
    other[1, 4] += torch.arange(8)
    before, after = module(x), module(other)
    if isinstance(before, torch.Tensor) and before.shape == x.shape and not same(after[0, 0], before[0, 0]):
        return "the first word of the first sentence changes when the last word of the last sentence does"
    if isinstance(before, torch.Tensor) and before.shape == x.shape and not same(after[:, :4], before[:, :4]):
        return "a word changes when another one does"
    return None


task.require(
    "mean 0 and variance 1 over the features of each word, then gain and shift",
    FORMULA,
    [
        Case("2 sentences of 5 words, d_model = 8", drawn(2, 5, 8), norm(8)),
        Case("numbers of size 0.001", drawn(2, 5, 8, scale=1e-3, offset=0.0), norm(8)),
        Case("eps = 0.5", drawn(2, 5, 8), norm(8, eps=0.5)),
        Case("one word, d_model = 6, evaluation mode", drawn(6), norm(6, evaluate=True)),
        Case("float32, no batch", drawn(3, 6, dtype=torch.float32), norm(6, dtype=torch.float32)),
    ],
    [
        Case("two features", drawn(3, 4, 2), norm(2, eps=0.1)),
        Case("as many sentences as words as features", drawn(4, 4, 4), norm(4, eps=1e-3)),
        Case("four dimensions", drawn(2, 3, 4, 6), norm(6, evaluate=True)),
        Case("numbers of size 1e-4", drawn(2, 3, 8, scale=1e-4, offset=0.0), norm(8)),
        Case("eps = 0", drawn(2, 5), norm(5, eps=0.0)),
        Case("float32", drawn(3, 2, 6, dtype=torch.float32), norm(6, dtype=torch.float32)),
    ],
    "work out one word with two features by hand",
)  # fmt: skip
task.require(
    "numbers far from 0 keep their digits",
    "the formula's own steps: first the mean, then the squares of what is left",
    [Case("float32, numbers around 3000", far, norm(8, dtype=torch.float32), within=0.02)],
    [Case("numbers around 100 000", drawn(2, 3, 8, offset=1e5), norm(8), within=1e-6)],
)
task.require(
    "gradients, which are finite for constant features too",
    "the derivative of the formula",
    [Case("the gradient of x, and a word whose features are all the same", constant, norm(6, gradients_of)),
     Case("the gradients of weight and bias", drawn(2, 5, 8), norm(8, parameter_gradients))],
    [Case("the gradient of x, eps = 0.1", drawn(2, 3, 8), norm(8, gradients_of, eps=0.1)),
     Case("the gradients of weight and bias, d_model = 5", constant, norm(6, parameter_gradients))],
)  # fmt: skip


def refused(situation, x):
    """Make the case of an x that a norm over 4 features must refuse."""
    return Case(situation, (x,), lambda answer, x: refuses("x")(answer(4), x), right=True)


task.limits(
    "one feature, no sentence, and wrong input",
    [
        Case("one feature", drawn(2, 3, 1), norm(1)),
        Case("no sentence", drawn(0, 3, 5), norm(5)),
        refusal("d_model = 0", (0,), "d_model"),
        refusal("a negative eps", (4, -1e-5), "eps"),
        refused("three features in the place of four", torch.ones(2, 5, 3)),
        refused("a single number", torch.tensor(1.0)),
        refused("integers", torch.ones(2, 4).long()),
    ],
)
