"""Task `label_smoothing_loss` of exercise 01."""

import math

import torch

from course_checks.cases import Case, drawn, gradients, refusal
from course_checks.outcomes import is_tensor
from course_checks.sequence_transduction.shared import (
    FORMED,
    LOSSES,
    MISTAKES,
    UNIT,
    right_loss,
    saying,
    sentences,
    where_nan,
)
from course_checks.task import Task
from course_checks.words import Finding

task = Task("label_smoothing_loss", UNIT, LOSSES)
task.oracle(right_loss)

# fmt: off
_SHARES = "print the shares of all words for one position, and their sum: what does the formula give to each?"
_ONE = "one sum over all labels that count, one division by their number at the end"
_NOTHING = "let the result of padding alone come out of the same computation on `logits`, with a divisor of at least 1"
_CUT = "for padding alone a new 0 is made (`torch.tensor(0.)`, `torch.zeros(...)`), which does not depend on the logits"
_OTHERS, _SIZE = "(log_probabilities.sum(-1) - of_labels)", "logits.shape[-1]"
task.edit("log_probabilities.mean(dim=-1)", {
    f"{_OTHERS} / max({_SIZE} - 1, 1)": ("only the wrong words share the smoothing, `smoothing / (vocab_size - 1)` "
        "each: another usual definition", _SHARES),
    f"({_OTHERS} - log_probabilities[..., 0]) / max({_SIZE} - 2, 1)": ("padding and the right word get no share, "
        "`smoothing / (vocab_size - 2)` for the others: another usual definition", _SHARES),
    f"log_probabilities.masked_fill(torch.arange({_SIZE}) == pad_id, 0.0).mean(dim=-1)": (
        "the word `pad_id` gets no share of the smoothing, as in other usual definitions: here every word gets one",
        _SHARES, "the shares do not sum to 1"),
    f"{_OTHERS} / {_SIZE}": ("two definitions are mixed: `smoothing / vocab_size` for the wrong words, none of it for "
        "the right one", _SHARES, "the shares do not sum to 1"),
    "log_probabilities.sum(-1)": ("the smoothing is not divided by `vocab_size`: the sum over all words in the place "
        "of their mean", _SHARES),
    "log_probabilities.mean()": (
        "the part that is spread is averaged over the positions too, padding among them", _SHARES),
    "torch.zeros_like(of_labels)": ("the part of the other words is missing", _SHARES),
    "log_probabilities.mean(dim=-1).detach()": ("the part of the other words is cut off from the graph",
        "no `.detach()`, `.item()` or `torch.no_grad()` on the way", "the gradient is not that of the formula"),
})
task.edit("-(1 - smoothing)", {"-1": ("the right word keeps everything, and the smoothing is added to it", _SHARES,
    "the shares do not sum to 1")})
task.edit('"smoothing", smoothing)', {f'"smoothing", smoothing)\nsmoothing = {number}': words for number, *words in (
    ("0.0", "`smoothing` is not used", _SHARES, "this is the cross entropy without smoothing"),
    ("0.1", "the smoothing is always 0.1, whatever `smoothing` is", _SHARES),
    ("1 - smoothing", "`smoothing` and `1 - smoothing` change places",
     "with smoothing 0 the right word gets everything"))})
task.edit_all("(dim=-1)", {"(dim=2)": (
    "dimensions are counted from the front: it works for logits (batch, length, vocab_size) only",
    "the vocabulary is the last dimension, -1, whatever comes before it")})
task.edit("losses = losses.masked_fill(padding, 0.0)", {"": (
    "padding counts in the sum, though not in the number of labels", "add a column of padding: nothing may change")})
task.edit("losses = -(1 - smoothing) * of_labels", {
    f"return -((1 - smoothing) * of_labels.exp() + smoothing / {_SIZE}).log()[~padding].mean()": ("the smoothing is "
        "mixed into the probabilities of the model, and the logarithm taken of that", "the smoothing belongs to the "
        "label: it says how much each log probability counts")})
task.edit_places({"-(1 - smoothing) * of_labels": "-(1 - smoothing) * of_labels.masked_fill(padding, 0.0)",
                  "losses = losses.masked_fill(padding, 0.0)": ""},
                 "padding is left out of the right word's part only, not of the part that is spread",
                 "add a column of padding: nothing may change")
task.edit("losses.sum() / (~padding).sum().clamp(min=1)", {
    "losses.mean()": ("padding counts in the number of labels", _ONE, "it falls when padding is added"),
    "losses.sum()": ("the division by the number of labels is missing", _ONE),
    "(losses.sum(-1) / (~padding).sum(-1).clamp(min=1)).mean()": (
        "each sentence is averaged on its own: a word of a short sentence counts more", _ONE),
    "losses.sum() / max(len(labels), 1)": ("the losses are divided by the number of sentences, not of labels", _ONE),
    "losses.sum(-1) / (~padding).sum(-1).clamp(min=1)": ("there is one number for each sentence", _ONE),
    "losses": ("the losses of the labels are not averaged", _ONE),
    f"losses.sum() / (~padding).sum().clamp(min=1) / {_SIZE}": (
        "the mean over the words of the vocabulary is taken, not their sum", "work out the loss of one label by hand"),
    "losses.sum() / (~padding).sum()": (
        "for padding alone the number of labels is 0, and 0 / 0 is NaN", "divide by at least 1", "it is NaN"),
})
task.edit("return ", {
    "return -": ("the minus in front of the logarithm is missing", "a loss is positive", "the sign is turned"),
    f"shares = (1 - smoothing) * F.one_hot(words, {_SIZE}).to(logits) + smoothing / {_SIZE}\n"
    "losses = losses + shares.xlogy(shares).sum(-1) * ~padding\nreturn ": (
        "it is the Kullback-Leibler divergence: smaller by the entropy of the smoothed labels",
        "the task asks for the cross entropy"),
    "if padding.all():\n    return torch.zeros((), dtype=logits.dtype, requires_grad=True)\nreturn ": (
        _CUT, _NOTHING),
    "if padding.all():\n    return logits.sum() * 0.0\nreturn ": (
        "for padding alone the logits are multiplied with 0, and 0 times infinity is NaN", _NOTHING, "it is NaN"),
})
task.edit("if smoothing > 0:", {"if True:": (
    "with smoothing 0, the log probability of an impossible word is multiplied with 0: 0 times infinity is NaN",
    "leave that part out where `smoothing` is 0", "it is NaN or infinite")})
for _old, _wrong in MISTAKES.items():
    task.edit(_old, _wrong)
# fmt: on


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
    return sentences(lengths, vocab_size, pad_id, more=(smoothing, pad_id), **options)


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
    [Case("smoothing 0, sentences of 4 and 2 words, vocabulary of 6", loss((4, 2), 6, 0.0), saying(
         "the part of the right word, or the mean over the labels; with smoothing 0 there is nothing else",
         "work out one sentence of one word, with a column of padding")),
     Case("smoothing 1, the same sizes", loss((4, 2), 6, 1.0), saying(
         "the part that treats all words alike: with smoothing 1 there is nothing else", _SHARES)),
     Case("smoothing 0.3, the same sizes", loss((4, 2), 6, 0.3), saying(
         "how much each of the two parts counts: with smoothing 0, and with smoothing 1, the result was right",
         _SHARES)),
     Case("logits around 1000", loss((3, 4), 5, 0.1, scale=1000.0), saying(*FORMED)),
     Case("padding in front of words and between them", loss((5, 4), 6, 0.2, inside=True)),
     Case("smoothing and pad_id as they are by default", sentences((3, 5, 1), 7))],
    [Case(f"smoothing {s}, other sizes", loss((6, 2, 4), 9, s)) for s in (0.1, 0.45, 0.0, 1.0)]
    + [Case("a vocabulary of two words", drawn("3 4 2; 2: 3 4", 0.3, -1)),
       Case("all sizes equal", loss((4, 3, 2, 4), 4, 0.2)), Case("one sentence", loss((7,), 5, 0.2))],
)  # fmt: skip
task.require("any `pad_id`", EXPECTED,
             [Case("pad_id = 5, a word of the vocabulary", loss((3, 5, 2), 8, 0.1, 5)),
              Case("pad_id = -100, which is no word", loss((3, 5, 2), 8, 0.1, -100))],
             [Case("pad_id = 3", loss((6, 4), 5, 0.2, 3)),
              Case("pad_id = 99", loss((2, 4, 3), 6, 0.2, 99))])  # fmt: skip
task.require("any leading shape", EXPECTED,
             [Case("logits (5, 6) and labels (5,)", drawn("5 6", torch.tensor([3, 0, 2, 5, 1]))),
              Case("logits (6,) and labels ()", drawn("6", torch.tensor(4))),
              Case("logits (2, 3, 4, 5)", drawn("2 3 4 5; 5: 2 3 4"))],
             [Case("logits (7, 4)", drawn("7 4; 4: 7", 0.4)),
              Case("logits (3, 2, 2, 6)", drawn("3 2 2 6; 6: 3 2 2", 0.2))])  # fmt: skip
task.require("the gradient is that of the formula", "the derivative of the formula",
             [Case("the gradient, smoothing 0.3", loss(TWO, 5, 0.3), gradients())],
             [Case("the gradient, smoothing 0.1", loss((2, 4, 3), 6, 0.1), gradients()),
              Case("the gradient, smoothing 0", loss((4, 2), 5, 0.0), gradients())])  # fmt: skip
SHAPED = torch.ones(2, 3, 5), torch.ones(2, 3, dtype=torch.long)
task.limits(
    "padding alone, impossible words (-inf), float16, and wrong input",
    [
        Case("nothing but padding, the loss and its gradient", drawn("2 3 5", NONE), where_nan(attached,
            "for padding alone 0 is divided by 0, or the mean of no numbers is taken: both are NaN", _NOTHING)),
        Case("padding with logits of -inf", lambda draw: (*impossible(draw, "padding", 0.1)[:2], NONE), where_nan(
            at_padding, "the loss of padding is multiplied with 0, or comes into the result before it is left out",
            "print the losses of all labels, padding too, and where they are left out")),
        Case("smoothing 0, and an impossible word that does not occur", lambda draw: impossible(draw, "word", 0.0)),
        Case("a vocabulary of one word, and padding", drawn("2 3 1", -torch.eye(2, 3).long(), 0.3, -1)),
        Case("float16", loss(TWO, 5, 0.1, dtype=torch.float16)),
        refusal("logits that are a single number", (torch.tensor(1.0), torch.tensor(1))),
        refusal("labels for one sentence only", (SHAPED[0], SHAPED[1][:1])),
        refusal("a label that is no word", (SHAPED[0], SHAPED[1] + 4)),
        refusal("a smoothing above 1", (*SHAPED, 1.1), "smoothing"),
    ],
    "padding counts nowhere, whatever its logits are; padding alone gives 0, with a gradient of 0",
)  # fmt: skip
