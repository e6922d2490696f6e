"""Task `rms_norm` of exercise 18."""

import torch
from torch.nn import functional as F

from course_checks.cases import Case, gradients, refusal
from course_checks.modern_transformer.shared import UNIT
from course_checks.task import Task
from course_checks.words import Wrong

task = Task("rms_norm", UNIT, ("rms_norm", "layer_norm", "normalize"))
_BY_HAND = "take x = (1, 7), weight (1, 1) and eps 0: the root of (1 + 49) / 2 is 5"
_EPS = "take x = (0, 0), and then eps = 1: by what is x divided?"

_DEVIATION = Wrong("x is divided by its standard deviation (`std`, `var`): the mean is taken out of the squares", "",
                   _BY_HAND)  # fmt: skip


@task.oracle
def right(x, weight, eps=1e-6):
    """Ask torch."""
    return F.rms_norm(x, weight.shape, weight, eps)


@task.pipeline(
    square={
        "centred": Wrong("the mean is subtracted, as in layer norm; an RMS norm leaves it",
                         "each row has mean 0 before the gain", "compare with what the text says about the mean"),
        "centred below": _DEVIATION, "sample": _DEVIATION, "sample, eps outside": _DEVIATION,
        "of the mean": Wrong("the mean is squared, not the numbers: first the squares, then their mean", "", _BY_HAND),
        "sum": Wrong("the squares are added up, where their mean is wanted", "", _BY_HAND),
        "absolute": Wrong("the mean is that of the absolute values, not of the squares", "", _BY_HAND),
        "all": Wrong("the mean runs over the whole tensor, not over the features of each position", "",
                     "over which dimension does a position own its numbers?"),
        "positions": Wrong("the mean runs over the positions (the last dimension but one), not over the features", "",
                           "over which dimension does a position own its numbers?"),
        "one fewer": Wrong("the sum of squares is divided by d_model - 1", "", _BY_HAND),
    },
    root={
        "none": Wrong("x is divided by the mean of the squares, not by its root", "", _BY_HAND),
        "times": Wrong("x is multiplied by the root, not divided", "", _BY_HAND),
    },
    small={
        "outside": Wrong("eps is added to the root, not to the mean of the squares inside it", "", _EPS),
        "none": Wrong("`eps` is not used", "a row of zeros becomes NaN", _EPS),
        "own": Wrong("eps is a number of its own; the argument is not used", "", "which line uses `eps`?"),
        "squared": Wrong("eps is squared", "", _EPS),
        "clamped": Wrong("eps is the least that the mean of the squares may be; it is to be added to it", "", _EPS),
    },
    gain={
        "none": Wrong("`weight` is not used", "", "which line uses `weight`?"),
        "plus one": Wrong("the gain is 1 + weight, as in Gemma; here it is weight", "", "let weight be zeros"),
        "added": Wrong("the gain is added; it is a factor", "", "let weight be zeros"),
        "before": Wrong("x is multiplied by the gain before it is normalised", "", "the gain comes last"),
        "divided": Wrong("what is normalised is divided by the gain", "", "let weight be (1, 10)"),
    },
    kept={"float32": Wrong("the result has the dtype of the computation, float32, and not that of x", "",
                           "bring the result back with `.to(x.dtype)`, or `.type_as(x)`")},
)  # fmt: skip
def rms_norm(x, weight, eps=1e-6, *, square="mean", root="divided", small="inside", gain="after", kept="x"):
    """Normalise with one choice for each step."""
    x = x.float() if kept == "float32" and x.dtype == torch.float16 else x
    x = x * weight if gain == "before" else x
    seen = x - x.mean(-1, keepdim=True) if square in ("centred", "centred below") else x
    x = seen if square == "centred" else x
    numbers = seen.abs() if square == "absolute" else seen.square()
    if square in ("sum", "one fewer"):
        mean = numbers.sum(-1, keepdim=True) / (1 if square == "sum" else max(x.shape[-1] - 1, 1))
    elif square == "all":
        mean = numbers.mean()
    else:
        over = -2 if square == "positions" and x.dim() > 1 else -1
        mean = numbers.mean(over, keepdim=True)
    mean = x.mean(-1, keepdim=True) ** 2 if square == "of the mean" else mean
    if square in ("sample", "sample, eps outside") and x.shape[-1] > 1:
        mean = x.var(-1, keepdim=True)
    small = "outside" if square == "sample, eps outside" else small
    eps = {"own": 1e-6, "squared": eps**2}.get(small, eps)
    if small == "outside":
        size = mean.sqrt() + eps
    else:
        size = (mean.clamp(min=eps) if small == "clamped" else mean + eps * (small != "none")).sqrt()
    size = size**2 if root == "none" else size
    result = x * size if root == "times" else x / size
    return {"none": result, "plus one": result * (1 + weight), "divided": result / weight, "before": result,
            "added": result + weight}.get(gain, result * weight)  # fmt: skip


def drawn(*shape, eps=1e-6, offset=0.0, dtype=torch.float64):
    """Draw words and gains."""
    return lambda draw: (draw(*shape, dtype=dtype) + offset, draw(shape[-1], dtype=dtype) + 1, eps)


def by_hand(draw):
    """Take a row whose root mean square is 5."""
    return torch.tensor([[1.0, 7.0]]), torch.tensor([1.0, 10.0])


EXPECTED = "x / sqrt(mean of the squares of its features + eps) * weight, in the shape of x"
task.require(
    "each position is divided by the root of the mean of its squares, and the mean is left in it",
    EXPECTED,
    [Case("one row of 2 features", by_hand), Case("2 sentences of 3 words, 5 features", drawn(2, 3, 5)),
     Case("words whose mean is 4", drawn(3, 6, offset=4.0))],
    [Case("a vector", drawn(7)), Case("other sizes, float32", drawn(4, 2, 9, dtype=torch.float32)),
     Case("words whose mean is -2", drawn(2, 4, 3, offset=-2.0))],
    _BY_HAND,
)  # fmt: skip
task.require(
    "eps is added to the mean, inside the root",
    EXPECTED,
    [Case("eps 0.5", drawn(2, 3, 5, eps=0.5)), Case("eps 3", drawn(4, 6, eps=3.0))],
    [Case("eps 0.2", drawn(3, 8, eps=0.2)), Case("small words, eps 1", drawn(2, 2, 4, eps=1.0))],
    _EPS,
)
task.require(
    "gradients flow to x and to weight",
    "the derivative of the formula",
    [Case("the gradients, 3 words of 5 features", drawn(3, 5, eps=0.1), gradients())],
    [Case("the gradients, other sizes", drawn(2, 3, 4), gradients())],
)
task.limits(
    "words of zeros, float16, and wrong input",
    [
        Case("words of zeros", lambda draw: (torch.zeros(2, 3), torch.ones(3))),
        Case("float16", drawn(2, 3, 5, eps=0.1, dtype=torch.float16)),
        refusal("a gain of another size", (torch.ones(2, 3), torch.ones(4)), "x"),
        refusal("x that holds integers", (torch.ones(2, 3, dtype=torch.long), torch.ones(3)), "x"),
    ],
)
