"""Task `lowest_loss` of exercise 01, and the predictions that it answers."""

import math

import torch
from torch.nn import functional as F

from course_checks.cases import Case
from course_checks.predictions import Predictions, tendency
from course_checks.sequence_transduction.shared import UNIT
from course_checks.task import Task
from course_checks.words import Finding

task = Task("lowest_loss", UNIT)
_PRINT = "print the loss and all probabilities every 50 steps"
_LOGIT = "the right word's logit is returned, not its probability: softmax is missing", "print all probabilities"
_EARLY = "the descent has not arrived: too few steps, or a learning rate that is too small"
_JUMPS = "the steps are too large, or the gradients of all steps add up: `zero_grad` is missing"


def entropy(right, vocab_size):
    """Work out the entropy of a label that gives this much to one word, and the same to each of the others."""
    terms = [right] + [(1 - right) / (vocab_size - 1)] * (vocab_size - 1)
    return sum(-p * math.log(p) for p in terms if p > 0)


@task.oracle
def lowest(vocab_size, smoothing):
    """Work it out: at the lowest point the probabilities are the smoothed labels."""
    right = 1 - smoothing + smoothing / vocab_size
    return entropy(right, vocab_size), right


def descend(vocab_size, smoothing, steps=400, label=2):
    """Descend with torch's loss; return the loss and the logits."""
    logits = torch.zeros(vocab_size, requires_grad=True)
    optimizer = torch.optim.Adam([logits], lr=0.1)
    for _ in range(steps):
        loss = F.cross_entropy(logits, torch.tensor(label), label_smoothing=smoothing)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item(), logits.detach()


@task.mistake("the two results are exchanged", "", "the loss first, then the probability")
def exchanged(vocab_size, smoothing):
    """Return the probability first."""
    return lowest(vocab_size, smoothing)[::-1]


@task.mistake("the probability is that of another word than the right one", "",
              "print all probabilities: which one is large?")  # fmt: skip
def other_word(vocab_size, smoothing):
    """Take another word's share."""
    return lowest(vocab_size, smoothing)[0], smoothing / vocab_size


@task.mistake(_LOGIT[0], "", _LOGIT[1])
def logit(vocab_size, smoothing):
    """Forget softmax at the end."""
    return lowest(vocab_size, smoothing)[0], descend(vocab_size, smoothing)[1][2].item()


@task.mistake("the logarithm of the probability is returned", "", "a probability lies between 0 and 1")
def log_probability(vocab_size, smoothing):
    """Return log_softmax."""
    loss, right = lowest(vocab_size, smoothing)
    return loss, math.log(right)


@task.mistake("the probability is taken as `1 - smoothing`, without the right word's share of what is spread", "",
              "measure it: softmax of the logits at the end")  # fmt: skip
def without_share(vocab_size, smoothing):
    """Forget that the right word gets its share too."""
    return lowest(vocab_size, smoothing)[0], 1 - smoothing


@task.mistake("the smoothing is spread over the wrong words only: another usual definition of the loss", "",
              "put your loss beside `F.cross_entropy(..., label_smoothing=smoothing)`")  # fmt: skip
def other_definition(vocab_size, smoothing):
    """Use the other definition."""
    return entropy(1 - smoothing, vocab_size), 1 - smoothing


@task.mistake("the loss that is lowered has no smoothing", "", "hand `smoothing` on to the loss")
def not_smoothed(vocab_size, smoothing):
    """Lower the plain cross entropy."""
    return 0.0, 1.0


@task.mistake("the loss is lowered with smoothing, and reported without it", "", "return the loss that you lower")
def reported_plain(vocab_size, smoothing):
    """Report the cross entropy of the right word."""
    right = lowest(vocab_size, smoothing)[1]
    return -math.log(right), right


@task.mistake("`smoothing` is not handed on: the loss takes its default of 0.1", "", "hand `smoothing` on to the loss")
def default_smoothing(vocab_size, smoothing):
    """Use the default."""
    return lowest(vocab_size, 0.1)


@task.mistake("the label is word 0, which is padding: it counts nowhere, and nothing is learned", "",
              "choose another word")  # fmt: skip
def padding(vocab_size, smoothing):
    """Use the word that is left out."""
    return 0.0, 1 / vocab_size


@task.mistake("the logits never change: no step is taken, or they are made anew in every step", "", _PRINT)
def no_step(vocab_size, smoothing):
    """Stay at the start."""
    return math.log(vocab_size), 1 / vocab_size


@task.mistake(_EARLY, "", _PRINT)
def few_steps(vocab_size, smoothing):
    """Stop after 20 steps."""
    loss, logits = descend(vocab_size, smoothing, steps=20)
    return loss, logits.softmax(0)[2].item()


def ends(answer, vocab_size, smoothing):
    """Observe both numbers."""
    result = answer(vocab_size, smoothing)
    if type(result) not in (tuple, list) or len(result) != 2 or any(type(each) is not float for each in result):
        return result
    loss, probability = result
    low, right = lowest(vocab_size, smoothing)
    near = max(abs(loss - low), abs(probability - right)) < 0.01
    known = [each.function for each in task.wrong if each.name not in ("few_steps", "logit")]
    told = any(max(abs(a - b) for a, b in zip(each(vocab_size, smoothing), result, strict=True)) < 0.01
               for each in known)  # fmt: skip
    if abs(loss - low) < 0.01 and probability > 1.01:
        raise Finding(f"a loss of {loss:.3f}, a probability of {probability:.3f}", "", *_LOGIT)
    if not near and not told and 0 < probability < 1 and loss > low - 0.01:
        cause = _EARLY if 1 / vocab_size < probability < right and loss < math.log(vocab_size) else _JUMPS
        raise Finding(f"a loss of {loss:.3f}, a probability of {probability:.3f}; they are not those of the lowest "
                      "point", "", cause, _PRINT)  # fmt: skip
    return result


EXPECTED = "two Python numbers: the lowest loss that any logits give, and the probability of the right word there, "
EXPECTED += "both within 0.01"
task.require(
    "the loss is as low as it can be, and the probability is the one that belongs to it",
    EXPECTED,
    [Case("12 words, smoothing 0.2", (12, 0.2), ends, within=0.01),
     Case("1000 words, smoothing 0.1", (1000, 0.1), ends, within=0.01)],
    [Case("20 words, smoothing 0.3", (20, 0.3), ends, within=0.01),
     Case("5 words, smoothing 0.4", (5, 0.4), ends, within=0.01)],
    _PRINT,
)  # fmt: skip


def lead(vocab_size, smoothing):
    """Work out how far the right word's logit is above the others at the lowest point."""
    right = lowest(vocab_size, smoothing)[1]
    return math.log(right * (vocab_size - 1) / (1 - right))


def _measure():
    few, many = (lowest(vocab_size, 0.1)[0] / math.log(vocab_size) for vocab_size in (10, 1000))
    return [
        tendency(lead(10, 0.1), lead(1000, 0.1), 0.05),
        tendency(few, many, 0.05),
        tendency(lowest(10, 0.9)[0], lowest(10, 1.0)[0], 0.05),
    ]


predictions = Predictions(("lead, more words", "share, more words", "loss, all smoothing"), _measure, "task 7")
