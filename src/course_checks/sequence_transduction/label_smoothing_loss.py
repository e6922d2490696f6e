"""Task `label_smoothing_loss` of exercise 01."""

import math

import torch
from torch.nn import functional as F

from course_checks.cases import Case, gradients, refusal
from course_checks.outcomes import is_tensor
from course_checks.sequence_transduction.shared import (
    INDEX,
    LEFT_OUT,
    LOGS,
    LOSSES,
    UNIT,
    counted,
    leave_out,
    log_probabilities,
    pick,
    right_loss,
    sentences,
)
from course_checks.task import Task
from course_checks.words import Finding, Wrong

task = Task("label_smoothing_loss", UNIT, LOSSES)
task.oracle(right_loss)
_SHARES = "print the shares of all words for one position, and their sum: what does the formula give to each?"
_ONE = "one sum over all labels that count, one division by their number at the end"
_NOTHING = "let the result of padding alone come out of the same computation on `logits`, with a divisor of at least 1"
_CUT = "for padding alone a new 0 is made (`torch.tensor(0.)`, `torch.zeros(...)`), which does not depend on the logits"


@task.pipeline(
    logs=LOGS,
    shares={
        "others": Wrong("only the wrong words share the smoothing, `smoothing / (vocab_size - 1)` each: another usual "
                        "definition", "", _SHARES),
        "but padding": Wrong("padding and the right word get no share, `smoothing / (vocab_size - 2)` for the others: "
                             "another usual definition", "", _SHARES),
        "mixed": Wrong("two definitions are mixed: `smoothing / vocab_size` for the wrong words, none of it for the "
                       "right one", "the shares do not sum to 1", _SHARES),
        "added": Wrong("the right word keeps everything, and the smoothing is added to it", "the shares do not sum "
                       "to 1", _SHARES),
        "sum": Wrong("the smoothing is not divided by `vocab_size`: the sum over all words in the place of their mean",
                     "", _SHARES),
        "whole batch": Wrong("the part that is spread is averaged over the positions too, padding among them", "",
                             _SHARES),
        "ignored": Wrong("`smoothing` is not used", "this is the cross entropy without smoothing", _SHARES),
        "always 0.1": Wrong("the smoothing is always 0.1, whatever `smoothing` is", "", _SHARES),
        "turned": Wrong("`smoothing` and `1 - smoothing` change places", "", "with smoothing 0 the right word gets "
                        "everything"),
        "scaled": Wrong("the part of the other words is missing", "", _SHARES),
    },
    left_out=LEFT_OUT | {
        "spread": Wrong("padding is left out of the right word's part only, not of the part that is spread", "",
                        "add a column of padding: nothing may change"),
    },
    mean={
        "all": Wrong("padding counts in the number of labels", "it falls when padding is added", _ONE),
        "sum": Wrong("the division by the number of labels is missing", "", _ONE),
        "sentences": Wrong("each sentence is averaged on its own: a word of a short sentence counts more", "", _ONE),
        "per sentence": Wrong("the losses are divided by the number of sentences, not of labels", "", _ONE),
        "each sentence": Wrong("there is one number for each sentence", "", _ONE),
        "none": Wrong("the losses of the labels are not averaged", "", _ONE),
    },
    sign={"turned": Wrong("the minus in front of the logarithm is missing", "the sign is turned",
                          "a loss is positive")},
    constant={"divergence": Wrong("it is the Kullback-Leibler divergence: smaller by the entropy of the smoothed "
                                  "labels", "", "the task asks for the cross entropy")},
    nothing={
        "nan": Wrong("for padding alone the number of labels is 0, and 0 / 0 is NaN", "it is NaN",
                     "divide by at least 1"),
        "new": Wrong(_CUT, "", _NOTHING),
        "times 0": Wrong("for padding alone the logits are multiplied with 0, and 0 times infinity is NaN", "it is "
                         "NaN", _NOTHING),
    },
    zero={"times": Wrong("with smoothing 0, the log probability of an impossible word is multiplied with 0: 0 times "
                         "infinity is NaN", "it is NaN or infinite", "leave that part out where `smoothing` is 0")},
)  # fmt: skip
def label_smoothing_loss(
    logits, labels, smoothing=0.1, pad_id=0, *, logs="right", shares="all", left_out="padding", mean="words",
    sign="minus", constant="none", nothing="zero", zero="left out",
):  # fmt: skip
    """Compute the loss with one choice for each step."""
    smoothing = 0.1 if shares == "always 0.1" else 0.0 if shares == "ignored" else smoothing
    numbers, vocab_size = log_probabilities(logits, logs), logits.shape[-1]
    real = counted(labels, pad_id, left_out)
    if nothing == "new" and not real.any():
        return torch.zeros((), dtype=logits.dtype, requires_grad=True)
    if nothing == "times 0" and not real.any():
        return logits.sum() * 0.0
    chosen, large = pick(numbers, labels, pad_id, left_out), 1 - smoothing
    spread, small = numbers.sum(-1), smoothing / vocab_size
    if shares in ("others", "mixed"):
        spread = spread - chosen
        small = smoothing / max(vocab_size - 1, 1) if shares == "others" else small
    elif shares == "but padding":
        spread, small = spread - chosen - numbers[..., 0], smoothing / max(vocab_size - 2, 1)
    elif shares == "whole batch":
        spread = numbers.mean() * vocab_size
    elif shares in ("added", "scaled", "sum", "turned"):
        large = {"added": 1.0, "turned": smoothing}.get(shares, large)
        small = {"scaled": 0.0, "sum": smoothing, "turned": (1 - smoothing) / vocab_size}.get(shares, small)
    losses = -large * chosen
    if (small or zero == "times") and left_out != "spread":
        losses = losses - small * spread
    losses = leave_out(losses, real, left_out)
    if left_out == "spread":
        losses = losses - small * spread
    if constant == "divergence":
        q = large + small, *[small] * (vocab_size - 1)
        losses = losses + sum(each * math.log(each) for each in q if each > 0) * real
    losses = -losses if sign == "turned" else losses
    number = real.sum() if nothing == "nan" else real.sum().clamp(min=1)
    return {
        "all": lambda: losses.mean(),
        "sum": lambda: losses.sum(),
        "sentences": lambda: (losses.sum(-1) / real.sum(-1).clamp(min=1)).mean(),
        "per sentence": lambda: losses.sum() / max(len(labels), 1) if labels.dim() else losses,
        "each sentence": lambda: losses.sum(-1) / real.sum(-1).clamp(min=1),
        "none": lambda: losses,
    }.get(mean, lambda: losses.sum() / number)()


@task.mistake(INDEX, "", LEFT_OUT["indexed"].hint)
def one_hot(logits, labels, smoothing=0.1, pad_id=0):
    """Make one-hot rows of the labels as they are."""
    F.one_hot(labels, logits.shape[-1])
    return label_smoothing_loss(logits, labels, smoothing, pad_id)


@task.mistake("the part of the other words is cut off from the graph", "the gradient is not that of the formula",
              "no `.detach()`, `.item()` or `torch.no_grad()` on the way")  # fmt: skip
def cut_off(logits, labels, smoothing=0.1, pad_id=0):
    """Detach the spread part."""
    full, plain = [label_smoothing_loss(logits, labels, each, pad_id) for each in (smoothing, 0.0)]
    return (1 - smoothing) * plain + (full - (1 - smoothing) * plain).detach()


@task.mistake("dimensions are counted from the front: it works for logits (batch, length, vocab_size) only", "",
              "the vocabulary is the last dimension, -1, whatever comes before it")  # fmt: skip
def from_the_front(logits, labels, smoothing=0.1, pad_id=0):
    """Count to 2."""
    return label_smoothing_loss(logits, labels, smoothing, pad_id) + 0.0 * logits.log_softmax(2).mean()


def attached(answer, *inputs):
    """Observe the loss, and its gradient with respect to the logits."""
    leaf = inputs[0].detach().clone().requires_grad_()
    result = answer(leaf, *inputs[1:])
    if not is_tensor(result):
        return result
    gradient = None
    if result.requires_grad:
        gradient = torch.autograd.grad(result, leaf, torch.ones_like(result), allow_unused=True)[0]
    if gradient is None:
        raise Finding("no gradient flows back to the logits", "a 0 that is computed from the logits: their gradient "
                      "is 0, and there is one", _CUT, _NOTHING)  # fmt: skip
    return result, gradient


def at_padding(answer, logits, labels, none):
    """Observe the loss where padding has logits of -inf, and that of padding alone, without and with such logits."""
    some = logits[:2, :3].masked_fill(torch.arange(8) == 1, -math.inf)
    return answer(logits, labels), answer(torch.zeros_like(some), none), answer(some, none)


def loss(lengths, vocab_size, smoothing, pad_id=0, **options):
    """Draw sentences, and name smoothing and padding."""
    return lambda draw: (*sentences(lengths, vocab_size, pad_id, **options)(draw), smoothing, pad_id)


def impossible(draw, where, smoothing):
    """Draw sentences; all words but one are impossible at padding, or word 1, which does not occur, everywhere."""
    logits, labels = sentences((3, 5, 2), 8)(draw)
    wrong = (labels == 0)[..., None] & (torch.arange(8) < 7) if where == "padding" else torch.arange(8) == 1
    return logits.masked_fill(wrong, -math.inf), labels.masked_fill(labels == 1, 3), smoothing


EXPECTED = "the mean over the labels that are not padding of the cross entropy against the smoothed labels"
TWO = (3, 2)
NONE = torch.zeros(2, 3, dtype=torch.long)
task.require(
    "with and without smoothing",
    EXPECTED,
    [Case("smoothing 0.3, sentences of 4 and 2 words, vocabulary of 6", loss((4, 2), 6, 0.3)),
     Case("smoothing 0, the same sizes", loss((4, 2), 6, 0.0)), Case("smoothing 1", loss((4, 2), 6, 1.0)),
     Case("logits around 1000", loss((3, 4), 5, 0.1, scale=1000.0)),
     Case("padding in front of words and between them", loss((5, 4), 6, 0.2, inside=True)),
     Case("smoothing and pad_id as they are by default", sentences((3, 5, 1), 7))],
    [Case(f"smoothing {s}, other sizes", loss((6, 2, 4), 9, s)) for s in (0.1, 0.45, 0.0, 1.0)]
    + [Case("a vocabulary of two words", lambda draw: (draw(3, 4, 2), draw.integers(0, 2, 3, 4), 0.3, -1)),
       Case("all sizes equal", loss((4, 3, 2, 4), 4, 0.2)), Case("one sentence", loss((7,), 5, 0.2))],
)  # fmt: skip
task.require(
    "any `pad_id`",
    EXPECTED,
    [Case("pad_id = 5, a word of the vocabulary", loss((3, 5, 2), 8, 0.1, 5)),
     Case("pad_id = -100, which is no word", loss((3, 5, 2), 8, 0.1, -100))],
    [Case("pad_id = 3", loss((6, 4), 5, 0.2, 3)), Case("pad_id = 99", loss((2, 4, 3), 6, 0.2, 99))],
)  # fmt: skip
task.require(
    "any leading shape",
    EXPECTED,
    [Case("logits (5, 6) and labels (5,)", lambda draw: (draw(5, 6), torch.tensor([3, 0, 2, 5, 1]))),
     Case("logits (6,) and labels ()", lambda draw: (draw(6), torch.tensor(4))),
     Case("logits (2, 3, 4, 5)", lambda draw: (draw(2, 3, 4, 5), draw.integers(0, 5, 2, 3, 4)))],
    [Case("logits (7, 4)", lambda draw: (draw(7, 4), draw.integers(0, 4, 7), 0.4)),
     Case("logits (3, 2, 2, 6)", lambda draw: (draw(3, 2, 2, 6), draw.integers(0, 6, 3, 2, 2), 0.2))],
)  # fmt: skip
task.require(
    "the gradient is that of the formula",
    "the derivative of the formula",
    [Case("the gradient, smoothing 0.3", loss(TWO, 5, 0.3), gradients())],
    [Case("the gradient, smoothing 0.1", loss((2, 4, 3), 6, 0.1), gradients()),
     Case("the gradient, smoothing 0", loss((4, 2), 5, 0.0), gradients())],
)  # fmt: skip
SHAPED = torch.ones(2, 3, 5), torch.ones(2, 3, dtype=torch.long)
task.limits(
    "padding alone, impossible words (-inf), float16, and wrong input",
    [
        Case("nothing but padding, the loss and its gradient", lambda draw: (draw(2, 3, 5), NONE), attached),
        Case("padding with logits of -inf", lambda draw: (*impossible(draw, "padding", 0.1)[:2], NONE), at_padding),
        Case("smoothing 0, and an impossible word that does not occur", lambda draw: impossible(draw, "word", 0.0)),
        Case("a vocabulary of one word", lambda draw: (draw(2, 3, 1), NONE, 0.3, -1)),
        Case("float16", loss(TWO, 5, 0.1, dtype=torch.float16)),
        refusal("logits that are a single number", (torch.tensor(1.0), torch.tensor(1))),
        refusal("labels for one sentence only", (SHAPED[0], SHAPED[1][:1])),
        refusal("a label that is no word", (SHAPED[0], SHAPED[1] + 4)),
        refusal("a smoothing above 1", (*SHAPED, 1.1), "smoothing"),
    ],
    "padding counts nowhere, whatever its logits are; padding alone gives 0, with a gradient of 0",
)  # fmt: skip
