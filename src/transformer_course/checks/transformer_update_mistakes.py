"""The known mistakes of the learning rate and of one update; words as in the oracle."""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from transformer_course.checks.reporting import Mistake

LOOK = "write down what is computed in which line, in the order of the six steps of the task"
RATE_STEPS = ((1, 512, 4000), (4000, 512, 4000), (16_000, 512, 4000), (50, 64, 100))


def rate_mistakes(steps: Sequence[tuple[int, int, int]]) -> list[Mistake]:
    """Learning rates with the known mistakes, at some steps: each (step, d_model, warmup_steps)."""
    look = "plot the rate for steps 1 to 1000 with 100 warm-up steps: a line up to a peak, then a slow fall"

    def rates(formula: Callable[[int, int, int], float]) -> Tensor:
        return torch.tensor([formula(*each) for each in steps], dtype=torch.float64)

    return [
        Mistake(rates(formula), observed, cause, look)
        for formula, observed, cause in [
            (
                lambda s, d, w: d**-0.5 * max(s**-0.5, s * w**-1.5),
                "the rate is highest at the beginning and at the end",
                "`max` in the place of `min`",
            ),
            (
                lambda s, d, w: min(s**-0.5, s * w**-1.5),
                "the rate does not depend on d_model as it should",
                "the factor with d_model is missing",
            ),
            (
                lambda s, d, w: d**0.5 * min(s**-0.5, s * w**-1.5),
                "wide models get larger rates",
                "the sign of the exponent of d_model",
            ),
            (
                lambda s, d, w: min(s**-0.5, s * w**-1.5) / d,
                "the rate does not depend on d_model as it should",
                "the root of d_model is missing",
            ),
            (lambda s, d, w: d**-0.5 * s * w**-1.5, "the rate never falls", "the branch after the warm-up is missing"),
            (lambda s, d, w: d**-0.5 * s**-0.5, "there is no warm-up", "the branch of the warm-up is missing"),
            (
                lambda s, d, w: d**-0.5 * min(s**-0.5, s / w),
                "the rate is too high during the warm-up",
                "the exponent of warmup_steps: both branches must agree at the last step of the warm-up",
            ),
            (
                lambda s, d, w: d**-0.5 * min(s**-0.5, s * w**1.5),
                "there is no warm-up",
                "the sign of the exponent of warmup_steps",
            ),
            (
                lambda s, d, w: d**-0.5 * min(1 / s, s * w**-1.5),
                "the rate falls too fast after the warm-up",
                "1 / step in the place of its root",
            ),
            (
                lambda s, d, w: d**-0.5 * min((s + 1) ** -0.5, (s + 1) * w**-1.5),
                "the rate is one step ahead",
                "the step is counted from 0; here the first one is number 1",
            ),
        ]
    ]


IN_LOSS = [
    (
        "input is the label",
        "the loss is that of a model which reads its labels",
        "the decoder reads `target[:, 1:]`, or the pair is unpacked in the wrong order",
        "print what goes into the model and what the loss compares with, for one sentence",
    ),
    (
        "no shift",
        "the loss is that of a model which reads its labels, BOS among them",
        "the same `target` is input and label: nothing is shifted",
        "print what goes into the model and what the loss compares with, for one sentence",
    ),
    (
        "shift the wrong way",
        "the model is asked for the word before the one that it reads",
        "input and labels change places",
        "print what goes into the model and what the loss compares with, for one sentence",
    ),
    (
        "in eval mode",
        "the loss is that of the model in evaluation mode",
        "`model.train()` is missing. Or (it shows in the same way): it comes after the model is called",
        "a model that was just measured still stands in evaluation mode",
    ),
    (
        "smoothing fixed",
        "the loss does not follow `smoothing`",
        "`smoothing` is not handed on to the loss",
        "call it with smoothing=0 and with smoothing=0.5",
    ),
    ("no smoothing", "the loss is not smoothed", "`smoothing` is not used", "call it with smoothing 0 and 0.5"),
    (
        "padding counts",
        "labels that are padding count in the loss",
        "a loss without `ignore_index`, or without a mask",
        "append two PAD to every target: the loss must stay",
    ),
    (
        "softmax twice",
        "the loss is too high",
        "softmax before a loss that applies it itself",
        "hand the logits to the loss as they are",
    ),
    ("sum, no mean", "the loss grows with the number of words", "a sum, where a mean over the labels is wanted", LOOK),
    (
        "loss after the update",
        "the loss is that of the weights after the update",
        "the loss is computed once more at the end",
        "return the loss of the logits that the gradient came from",
    ),
]
IN_UPDATE = [
    (
        "no update",
        "the weights did not change",
        "`optimizer.step()` is missing. Or (it shows in the same way): the gradient is set to zero after `backward`",
        "print `.grad` of one parameter before `optimizer.step()`",
    ),
    (
        "gradients added",
        "the update holds gradients of an earlier batch too",
        "the gradients of the last call are still there: nothing sets them to zero before `backward`",
        "call it twice and print `.grad` of one parameter",
    ),
    (
        "not clipped",
        "long gradients are not shortened",
        "no clipping, or (it shows in the same way) clipping after the optimizer has moved the weights",
        "gradients exist after `backward`, and are used by `step`: where is the place to shorten them?",
    ),
    (
        "norm fixed",
        "gradients are shortened to another length",
        "`max_grad_norm` is not handed on",
        "call it with max_grad_norm=0.01: the weights must hardly move",
    ),
    (
        "clipped one by one",
        "each parameter's gradient is shortened on its own",
        "clipping in a loop over the parameters; the norm is that of all gradients together",
        "shorten them in one call, so that the direction of the step stays",
    ),
    (
        "clipped by value",
        "single numbers of the gradients are cut off",
        "`clip_grad_value_`: it changes the direction of the step",
        "the norm of all gradients together is what is limited",
    ),
    ("two updates", "the weights moved twice", "`optimizer.step()` is called twice", "one call is one update"),
    ("uphill", "the weights moved in the opposite direction", "the loss has the wrong sign", "the loss shall fall"),
    (
        "sum, no mean",
        "the update is that of a sum of losses",
        "a sum, where a mean over the labels is wanted",
        "divide by the number of labels that are no padding",
    ),
]
