"""The mistakes with layer normalisation and the feed-forward network that we know, and what they return."""

import torch
from torch import Tensor
from torch.nn import functional as F

from transformer_course.checks.modules import WrongParameters
from transformer_course.checks.oracles_blocks import ACTIVATIONS, right_feed_forward
from transformer_course.checks.reporting import Mistake


def layer_norm_mistakes(x: Tensor, weight: Tensor, bias: Tensor, eps: float) -> list[Mistake]:
    """List what wrong norms return; x is ``(batch, length, d_model)``."""
    d_model = len(weight)
    one = "take one word, `x[0, 0]`: its d_model numbers, and no others, give its mean and its variance"

    def finish(normal: Tensor) -> Tensor:
        return normal * weight + bias

    def over(*dims: int) -> Tensor:
        centred = x - x.mean(dims, keepdim=True)
        return finish(centred / (centred.square().mean(dims, keepdim=True) + eps).sqrt())

    centred = x - x.mean(-1, keepdim=True)
    variance, square = centred.square().mean(-1, keepdim=True), x.square().mean(-1, keepdim=True)
    unbiased = variance * d_model / max(d_model - 1, 1)
    normal = centred / (variance + eps).sqrt()
    elsewhere = "a number of one word changes the result of another"
    spread = "the features of a word do not have variance 1 before gain and shift"
    divisor = "the variance is divided by d_model - 1 (`unbiased`, the default of `std` and `var`), not by d_model"
    small = "eps stands under the root, beside the variance: look where your brackets close"
    ends = "set the gain to 2 and the shift to 3, and look at one word"
    return [
        Mistake(over(1), elsewhere, "mean and variance go over the positions of the sentence", one),
        Mistake(over(0), elsewhere, "mean and variance go over the sentences of the batch", one),
        Mistake(over(1, 2), elsewhere, "mean and variance go over a whole sentence: positions and features", one),
        Mistake(over(0, 1), elsewhere, "mean and variance go over batch and positions, as in batch normalisation", one),
        Mistake(over(0, 1, 2), elsewhere, "mean and variance go over all numbers of the tensor", one),
        Mistake(finish(centred / (unbiased + eps).sqrt()), spread, divisor, "see `unbiased` or `correction`"),
        Mistake(finish(centred / (unbiased.sqrt() + eps)), spread, divisor + "; and eps is added outside the root",
                "see `unbiased` or `correction`; and " + small),
        Mistake(finish(centred / (variance + eps)), spread, "the division is by the variance, not by its root",
                "multiply x by 4: should the result change?"),
        Mistake(finish(centred / (variance.sqrt() + eps)), "eps is not where the formula has it",
                "eps is added to the standard deviation, outside the root", small),
        Mistake(finish(centred / variance.sqrt()), "the result is that of eps = 0", "eps is not used", small),
        Mistake(finish(centred / (variance + 1e-5).sqrt()), "the result is that of eps = 1e-5",
                "eps is not kept: the number stands in forward", "set `self.eps`, and use it"),
        Mistake(finish(centred), spread, "nothing is divided", one),
        Mistake(finish(x / (square + eps).sqrt()), "the features do not have mean 0 before gain and shift",
                "the mean is not subtracted (that is the norm of RMSNorm)", "the formula has two statistics"),
        Mistake(finish(centred / (square + eps).sqrt()), spread, "the variance is taken without its mean",
                "the variance is the mean of the squares of x - mean"),
        Mistake(finish(x / (variance + eps).sqrt()), "the features do not have mean 0 before gain and shift",
                "the mean is used for the variance alone", "subtract it above the fraction as well"),
        Mistake(normal + bias, "the gain has no effect", "weight is not used", ends),
        Mistake(normal * weight, "the shift has no effect", "bias is not used", ends),
        Mistake(normal, "neither gain nor shift has an effect", "weight and bias are not used", ends),
        Mistake(normal * bias + weight, "gain and shift are exchanged", "weight multiplies, bias is added", ends),
        Mistake((normal + bias) * weight, "the shift is multiplied by the gain", "the shift comes before the gain",
                "first times weight, then plus bias"),
        Mistake(normal * (1 + weight) + bias, "the gain is one too large", "1 is added to weight, as some models do",
                "here weight itself is the gain, and starts at one"),
    ]  # fmt: skip


def wrong_norm_parameters() -> list[WrongParameters]:
    """List the known ways to have other parameters than a gain and a shift for each feature."""
    return [
        WrongParameters(
            lambda found: not found,
            "weight and bias are plain tensors or buffers, which nothing learns",
            "see `nn.Parameter`",
        ),
        WrongParameters(
            lambda found: set(found) == {"weight", "bias"} and {found["weight"], found["bias"]} <= {(), (1,)},
            "one gain and one shift for all features",
            "every feature has its own: d_model of each",
        ),
    ]


def feed_forward_mistakes(weights: dict[str, Tensor], x: Tensor, activation: str) -> list[Mistake]:
    """List what wrong feed-forward networks return."""
    act = ACTIVATIONS[activation]
    other = "gelu" if activation == "relu" else "relu"

    def first(y: Tensor) -> Tensor:
        return F.linear(y, weights["linear_1.weight"], weights["linear_1.bias"])

    def second(y: Tensor) -> Tensor:
        return F.linear(y, weights["linear_2.weight"], weights["linear_2.bias"])

    right = right_feed_forward(weights, x, activation)
    between = "the order is linear_1, activation, dropout, linear_2"
    mistakes = [
        Mistake(second(first(x)), "the result is linear in x", "there is no activation: two linear maps in a row are "
                "one linear map", between),
        Mistake(act(right), "no result is negative, or hardly",
                "an activation stands behind linear_2 as well", between),
        Mistake(act(second(first(x))), "no result is negative, or hardly",
                "the activation stands behind linear_2, not between the two", between),
        Mistake(second(first(act(x))), "the activation sees x itself", "it stands before linear_1", between),
        Mistake(second(ACTIVATIONS[other](first(x))), f"it is the result of {other}",
                "the argument activation is not used, or the two are exchanged", "print what __init__ has kept"),
        Mistake(right + x, "x is part of the result", "a residual connection; it belongs to the block", between),
        Mistake(second(torch.sigmoid(first(x))), "it is the result of a sigmoid", "another activation", between),
        Mistake(second(torch.tanh(first(x))), "it is the result of tanh", "another activation", between),
    ]  # fmt: skip
    if activation == "gelu":
        approximate, sigmoid = F.gelu(first(x), approximate="tanh"), first(x) * torch.sigmoid(1.702 * first(x))
        say, hint = (
            "the result is nearly right",
            "see the argument `approximate` of torch's gelu; the exact form uses erf",
        )
        mistakes += [
            Mistake(second(approximate), say, "gelu with tanh, which is an approximation", hint),
            Mistake(second(sigmoid), say, "gelu with a sigmoid, which is an approximation", hint),
            Mistake(second(F.silu(first(x))), "it is the result of silu", "another activation", hint),
        ]
    return mistakes


def wrong_feed_forward_parameters(d_model: int, d_ff: int) -> list[WrongParameters]:
    """List the known ways to have other parameters than two linear maps with a bias each."""
    return [
        WrongParameters(
            lambda found: found.get("linear_1.weight") == (d_model, d_ff),
            "the sizes of linear_1 change places",
            "nn.Linear takes the number of inputs first, then that of outputs",
        ),
        WrongParameters(
            lambda found: found.get("linear_1.weight") == found.get("linear_2.weight") == (d_model, d_model),
            "d_ff is not used",
            "linear_1 widens to d_ff, linear_2 narrows back",
        ),
        WrongParameters(
            lambda found: set(found) == {"linear_1.weight", "linear_2.weight"},
            "the two maps have no bias",
            "leave `bias` at its default",
        ),
        WrongParameters(
            lambda found: not found,
            "the layers stand in a plain list, where nn.Module does not find them",
            "set each layer as an attribute of its own",
        ),
    ]
