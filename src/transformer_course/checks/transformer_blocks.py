"""The checks of exercise 09. Each takes what the learner wrote and names the mistake that its results point to."""

from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from transformer_course.checks.answers import Answer
from transformer_course.checks.block_dropout import require_block_dropout, require_feed_forward_dropout
from transformer_course.checks.block_experiments import (
    at_the_start,
    check_gradient_per_block,
    check_layer_norm_backward,
    check_mended_block,
    compare_gradients,
    compare_mended,
    torch_stack,
)
from transformer_course.checks.block_makers import answer, make_block, make_feed_forward, make_norm
from transformer_course.checks.block_mistakes import MEMORY_ASKS, decoder_mistakes, encoder_mistakes
from transformer_course.checks.modules import build, parameter_gradients, require_parameters
from transformer_course.checks.norm_mistakes import feed_forward_mistakes, layer_norm_mistakes, wrong_norm_parameters
from transformer_course.checks.oracles_blocks import (
    right_decoder,
    right_encoder,
    right_feed_forward,
    right_layer_norm,
)
from transformer_course.checks.predictions import require_predictions
from transformer_course.checks.reporting import CheckFailed, Mistake, draw, same

QUESTIONS, WORDS = ("stream", "pre-norm", "post-norm"), ("grow", "stay", "fall")
LEFT_OUT = "norm_first and activation left out of the call"
REPLACE = (
    "find the part that is wrong: take nn.LayerNorm in the place of your LayerNorm, then a feed-forward network that "
    "returns 0 * x, and compare by hand what is left"
)

__all__ = [
    "answer",
    "at_the_start",
    "check_decoder_block",
    "check_encoder_block",
    "check_feed_forward",
    "check_gradient_per_block",
    "check_layer_norm",
    "check_layer_norm_backward",
    "check_mended_block",
    "check_predictions",
    "compare_gradients",
    "compare_mended",
    "draw",
    "make_block",
    "make_feed_forward",
    "make_norm",
    "parameter_gradients",
    "require_block_dropout",
    "require_feed_forward_dropout",
    "right_decoder",
    "right_encoder",
    "right_feed_forward",
    "right_layer_norm",
    "torch_stack",
]


def _compare(
    built: Answer,
    situation: str,
    result: Tensor,
    right: Tensor,
    requirement: str,
    mistakes: Callable[[], list[Mistake]],
    hint: str,
) -> None:
    """Compare with the oracle, and work out the known mistakes only where they are needed."""
    if not same(result, right):
        built.compare(situation, result, right, requirement, mistakes(), hint)


def check_layer_norm(norm_class: Callable) -> None:
    """Check the parameters and how they start, the numbers for three inputs, a constant input, and gradients."""
    situation = "d_model = 8"
    built = build(answer(norm_class, "LayerNorm"), situation, 8)
    require_parameters(built, situation, {"weight": (8,), "bias": (8,)}, wrong_norm_parameters())
    for name, start in (("weight", 1.0), ("bias", 0.0)):
        if not same(getattr(built.function, name).detach(), torch.full((8,), start)):
            built.fail(
                f"{situation}, before any training",
                f"{name} does not start with {start:g} everywhere",
                "a norm that at first changes neither scale nor mean of what it has normalised",
                "the starting values of gain and shift are exchanged, or drawn at random",
                "which gain and which shift leave a number as it is?",
            )
    built.passed("one gain and one shift for each feature, which change nothing at first")
    x = 2 * draw(2, 5, 8, seed=1, dtype=torch.float64) + 1
    for situation, inputs, options, what in [
        ("batch 2, length 5, d_model 8", x, {}, "mean 0 and variance 1 over the features of each word"),
        ("numbers of size 0.001", x / 1000, {}, "eps stands beside the variance"),
        ("eps = 0.5", x, {"eps": 0.5}, "any eps"),
    ]:
        built, weights = make_norm(norm_class, situation, 8, seed=10, **options)
        eps = options.get("eps", 1e-5)
        right = right_layer_norm(inputs, weights["weight"], weights["bias"], eps)
        result = built.tensor(situation, inputs, like=right)
        requirement = "(x - mean) / sqrt(variance + eps) of each word, times weight, plus bias"
        _compare(
            built, situation, result, right, requirement,
            lambda inputs=inputs, weights=weights, eps=eps: layer_norm_mistakes(
                inputs, weights["weight"], weights["bias"], eps
            ),
            "work out one word with two features by hand",
        )  # fmt: skip
        built.passed(what)
    # Whole numbers: their mean is exact in float32, so that only the way to the variance is tried.
    situation = "float32, numbers far from 0: x + 10000"
    built, weights = make_norm(norm_class, situation, 8, seed=12, dtype=torch.float32)
    far = (3 * draw(2, 5, 8, seed=4)).round() + 10000
    right = right_layer_norm(far.double(), weights["weight"].double(), weights["bias"].double()).float()
    lost = Mistake(
        lambda _: True,
        "the digits of the variance are lost, although the same x without 10000 is right",
        "the variance is the mean of the squares minus the square of the mean, a difference of two large numbers",
        "subtract the mean first, then take the mean of the squares",
    )
    built.compare(situation, built.tensor(situation, far, like=right), right, "the formula's own steps", [lost])
    built.passed("numbers far from 0 keep their digits")
    built, weights = make_norm(norm_class, "d_model = 6", 6, seed=11)
    inputs = torch.cat([draw(2, 3, 6, seed=2, dtype=torch.float64), torch.full((2, 1, 6), 3.0, dtype=torch.float64)], 1)
    built.gradients(
        "the gradient, and a word whose features are all the same",
        lambda x: right_layer_norm(x, weights["weight"], weights["bias"]),
        inputs,
    )
    parameter_gradients(
        built,
        "the gradient with respect to gain and shift",
        lambda weights, x: right_layer_norm(x, weights["weight"], weights["bias"]),
        inputs,
    )
    built.passed("gradients, which are finite for constant features too")


def check_feed_forward(feed_forward_class: Callable) -> None:
    """Check parameters, both activations, that words do not mix, dropout and gradients."""
    situation = "d_model = 8, d_ff = 13"
    x = draw(2, 5, 8, seed=3, dtype=torch.float64)
    for where, options, activation in [
        (f"{situation}, relu", {"activation": "relu"}, "relu"),
        (f"{situation}, gelu", {"activation": "gelu"}, "gelu"),
        (f"{situation}, activation left out of the call", {}, "relu"),
    ]:
        built, weights = make_feed_forward(feed_forward_class, where, 8, 13, seed=20, **options)
        right = right_feed_forward(weights, x, activation)
        result = built.tensor(where, x, like=right)
        requirement = f"linear_2 of {activation} of linear_1, of each word on its own"
        arguments, hint = (
            (weights, x, activation),
            "print the shape after each of the steps, and compare with the formula",
        )
        _compare(built, where, result, right, requirement, lambda a=arguments: feed_forward_mistakes(*a), hint)
        built.passed(f"{activation} between two linear maps" if options else "relu is the default")
    require_feed_forward_dropout(feed_forward_class, 0.25)
    built.passed("dropout falls on the activations, in training alone")
    parameter_gradients(
        built, "the gradient with respect to the parameters", lambda weights, x: right_feed_forward(weights, x), x
    )
    built.passed("gradients reach every parameter")


def check_predictions(predictions: Mapping[str, str]) -> None:
    """Check that there is a prediction for each of the three numbers; not whether it is right."""
    require_predictions(predictions, QUESTIONS, WORDS, "task 6")


def check_encoder_block(block_class: Callable) -> None:
    """Check parameters, both orders, the mask, the activation, dropout and gradients."""
    sizes, shape = (12, 3, 17), "d_model 12, 3 heads, d_ff 17"
    x = draw(2, 5, 12, seed=31, dtype=torch.float64)
    mask = torch.ones(2, 1, 1, 5, dtype=torch.bool)
    mask[1, ..., 3:] = False
    for norm_first in (False, True):
        order = f"norm_first={norm_first}"
        for given, activation, what in [
            (None, "relu", f"{order}: what is read, added and normalised"),
            (mask, "relu", f"{order}: the mask"),
            (None, "gelu", f"{order}: the other activation"),
        ]:
            options = {"norm_first": norm_first} | ({} if activation == "relu" else {"activation": activation})
            words = [shape, order, *(["a mask"] * (given is not None)), *([activation] * (activation != "relu"))]
            situation = ", ".join(words)
            built, weights = make_block(block_class, "EncoderBlock", situation, sizes, seed=40, **options)
            right = right_encoder(weights, 3, x, given, norm_first, activation)
            result = built.tensor(situation, x, *([] if given is None else [given]), like=right)
            requirement = (
                "two sublayers: each reads the normalised x, and is added to x itself"
                if norm_first
                else "two sublayers: each reads x and is added to it, and the sum is normalised"
            )
            arguments = weights, 3, x, given, norm_first, activation
            _compare(built, situation, result, right, requirement, lambda a=arguments: encoder_mistakes(*a), REPLACE)
            built.passed(what)
        _parameter_gradients(built, right_encoder, norm_first, x)
    built, weights = make_block(block_class, "EncoderBlock", LEFT_OUT, sizes, seed=40)
    result, right = built.tensor(LEFT_OUT, x, like=x), right_encoder(weights, 3, x)
    mistakes = lambda: encoder_mistakes(weights, 3, x, None, False, "relu")  # noqa: E731 (worked out only if needed)
    _compare(built, LEFT_OUT, result, right, "norm_first=False and relu, as the signature says", mistakes, REPLACE)
    built.passed("the order of the paper is the default")
    require_block_dropout(block_class, "EncoderBlock", 0.25)
    built.passed("dropout falls on what each sublayer adds, in training alone")


def check_decoder_block(block_class: Callable) -> None:
    """Check parameters, both orders, the masks, the activation, dropout and gradients."""
    sizes, shape = (12, 3, 17), "d_model 12, 3 heads, d_ff 17"
    x, memory = draw(2, 5, 12, seed=33, dtype=torch.float64), draw(2, 7, 12, seed=34, dtype=torch.float64)
    self_mask, memory_mask = torch.ones(5, 5, dtype=torch.bool).tril(), torch.ones(2, 1, 1, 7, dtype=torch.bool)
    memory_mask[1, ..., 4:] = False
    for norm_first in (False, True):
        order = f"norm_first={norm_first}"
        for masks, activation, what in [
            ({}, "relu", f"{order}: what is read, added and normalised"),
            ({"self_mask": self_mask}, "relu", f"{order}: self_mask"),
            ({"memory_mask": memory_mask}, "relu", f"{order}: memory_mask"),
            ({"self_mask": self_mask, "memory_mask": memory_mask}, "gelu", f"{order}: the other activation"),
        ]:
            options = {"norm_first": norm_first} | ({} if activation == "relu" else {"activation": activation})
            situation = ", ".join([shape, order, *masks, *([activation] * (activation != "relu"))])
            built, weights = make_block(block_class, "DecoderBlock", situation, sizes, seed=50, **options)
            given = masks.get("self_mask"), masks.get("memory_mask")
            right = right_decoder(weights, 3, x, memory, *given, norm_first, activation)
            try:
                result = built(situation, x, memory, **masks)
            except CheckFailed as failure:
                if "size of tensor" in str(failure) and not masks:
                    _require_target_asks(built, weights, norm_first, x, memory[:, : x.shape[1]])
                raise
            if type(result) is Tensor and result.shape == memory.shape:
                built.fail(
                    situation,
                    f"the result has shape {tuple(result.shape)}, the length of the memory",
                    "a result for each word of the target",
                    MEMORY_ASKS,
                    "the source answers: which of the two is the query?",
                )
            result = built.require_tensor(situation, result, right)
            requirement = "self-attention, cross-attention to the memory, feed-forward: each with its norm and residual"
            arguments = weights, 3, x, memory, *given, norm_first, activation
            _compare(built, situation, result, right, requirement, lambda a=arguments: decoder_mistakes(*a), REPLACE)
            built.passed(what)
        _parameter_gradients(built, right_decoder, norm_first, x, memory)
    built, weights = make_block(block_class, "DecoderBlock", LEFT_OUT, sizes, seed=50)
    result, right = built.tensor(LEFT_OUT, x, memory, like=x), right_decoder(weights, 3, x, memory)
    mistakes = lambda: decoder_mistakes(weights, 3, x, memory, None, None, False, "relu")  # noqa: E731 (as above)
    _compare(built, LEFT_OUT, result, right, "norm_first=False and relu, as the signature says", mistakes, REPLACE)
    built.passed("the order of the paper is the default")
    require_block_dropout(block_class, "DecoderBlock", 0.25)
    built.passed("dropout falls on what each sublayer adds, in training alone")


def _require_target_asks(built: Answer, weights: dict, norm_first: bool, x: Tensor, memory: Tensor) -> None:
    """Try a source as long as the target, where an exchange of the two does not show in the shapes."""
    situation = f"norm_first={norm_first}, a memory of another length raises an error, one of the same length does not"
    result = built.tensor(situation, x, memory, like=x)
    right = right_decoder(weights, 3, x, memory, norm_first=norm_first)
    requirement = "self-attention, cross-attention to the memory, feed-forward: each with its norm and residual"
    arguments = weights, 3, x, memory, None, None, norm_first, "relu"
    _compare(built, situation, result, right, requirement, lambda: decoder_mistakes(*arguments), REPLACE)


def _parameter_gradients(built: Answer, oracle: Callable, norm_first: bool, *inputs: Tensor) -> None:
    parameter_gradients(
        built,
        f"norm_first={norm_first}, the gradient with respect to the parameters",
        lambda weights, *inputs: oracle(weights, 3, *inputs, norm_first=norm_first, activation="gelu"),
        *inputs,
    )
    built.passed(f"norm_first={norm_first}: gradients reach every parameter")
