"""Task `lowest_loss` of exercise 01, and the predictions that it answers."""

import math
from functools import cache

from course_checks.cases import Case, call
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


# fmt: off
_LOSS = "label_smoothing_loss(logits, label, smoothing)"
task.edit("return loss.item(), logits.softmax(dim=-1)[EOS].item()", {f"return {pair}": words for pair, *words in (
    ("logits.softmax(dim=-1)[EOS].item(), loss.item()", "the two results are exchanged",
     "the loss first, then the probability"),
    ("loss.item(), logits.softmax(dim=-1)[BOS].item()", "the probability is that of another word than the right one",
     "print all probabilities: which one is large?"),
    ("loss.item(), logits[EOS].item()", *_LOGIT),
    ("loss.item(), logits.log_softmax(dim=-1)[EOS].item()", "the logarithm of the probability is returned",
     "a probability lies between 0 and 1"),
    ("loss.item(), 1 - smoothing", "the probability is taken as `1 - smoothing`, without the right word's share of "
     "what is spread", "measure it: softmax of the logits at the end"),
    ("-logits.log_softmax(dim=-1)[EOS].item(), logits.softmax(dim=-1)[EOS].item()",
     "the loss is lowered with smoothing, and reported without it", "return the loss that you lower"))})
task.edit(_LOSS, {
    _LOSS.replace("smoothing)", "smoothing * vocab_size / (vocab_size - 1))"): (
        "the smoothing is spread over the wrong words only: another usual definition of the loss",
        "put your loss beside `F.cross_entropy(..., label_smoothing=smoothing)`"),
    _LOSS.replace("smoothing)", "0.0)"): (
        "the loss that is lowered has no smoothing", "hand `smoothing` on to the loss"),
    _LOSS.replace(", smoothing)", ")"): (
        "`smoothing` is not handed on: the loss takes its default of 0.1", "hand `smoothing` on to the loss")})
task.edit("torch.tensor(EOS)", {"torch.tensor(PAD)": (
    "the label is word 0, which is padding: it counts nowhere, and nothing is learned", "choose another word")})
task.edit("optimizer.step()", {"": (
    "the logits never change: no step is taken, or they are made anew in every step", _PRINT)})
task.edit("range(200)", {"range(10)": (_EARLY, _PRINT)})
# fmt: on


@cache
def once(answer, vocab_size, smoothing):
    """Run one of our own answers, which takes hundreds of steps, once only."""
    return answer(vocab_size, smoothing)


def ends(answer, vocab_size, smoothing):
    """Observe both numbers."""
    ours = {each.function: each.words[0].cause for each in task.wrong}
    result = (once if answer in ours else call)(answer, vocab_size, smoothing)
    if type(result) not in (tuple, list) or len(result) != 2 or any(type(each) is not float for each in result):
        return result
    loss, probability = result
    low, right = lowest(vocab_size, smoothing)
    if abs(loss - low) < 0.01 and probability > 1.01:
        raise Finding(f"a loss of {loss:.3f}, a probability of {probability:.3f}", "", *_LOGIT, final=True)

    def near(pair):
        return max(abs(loss - pair[0]), abs(probability - pair[1])) < 0.01

    known = [each for each, cause in ours.items() if cause not in (_LOGIT[0], _EARLY)]  # those depend on the descent
    told = near((low, right)) or any(near(once(each, vocab_size, smoothing)) for each in known)
    if not told and 0 < probability < 1 and loss > low - 0.01:
        # No logits with this probability of the right word have a lower loss (the divergence of two pairs).
        least = low + right * math.log(right / probability) + (1 - right) * math.log((1 - right) / (1 - probability))
        if loss < min(low + 0.01, least - 0.005):
            raise Finding(f"a loss of {loss:.3f}, a probability of {probability:.3f}; no logits give both", "",
                          "the probability is not softmax of all logits: a sigmoid of one of them, or that of another "
                          "word", "print all probabilities: what do they sum to?", final=True)  # fmt: skip
        cause = _EARLY if 1 / vocab_size < probability < right and loss < math.log(vocab_size) else _JUMPS
        raise Finding(f"a loss of {loss:.3f}, a probability of {probability:.3f}; they are not those of the lowest "
                      "point", "", cause, _PRINT, final=True)  # fmt: skip
    return result


EXPECTED = "two Python numbers: the lowest loss that any logits give, and the probability of the right word there, "
EXPECTED += "both within 0.01"
task.require("the loss is as low as it can be, and the probability is the one that belongs to it", EXPECTED,
             [Case("12 words, smoothing 0.2", (12, 0.2), ends, within=0.01),
              Case("1000 words, smoothing 0.1", (1000, 0.1), ends, within=0.01)],
             [Case("20 words, smoothing 0.3", (20, 0.3), ends, within=0.01),
              Case("5 words, smoothing 0.4", (5, 0.4), ends, within=0.01)], _PRINT)  # fmt: skip


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
