"""The checks of exercise 01 around its four functions: the prediction, the experiment, the bugs and the stretch."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import torch

from transformer_course.checks.answers import Answer
from transformer_course.checks.oracles_transduction import lowest, right_loss, right_perplexity
from transformer_course.checks.predictions import require_predictions
from transformer_course.checks.reporting import draw
from transformer_course.checks.token_results import require_shaped
from transformer_course.checks.transduction_mistakes import BY_HAND, batch_loss_mistakes

UNIT = "sequence_transduction"
QUESTIONS = (
    "loss, more smoothing",
    "probability, more smoothing",
    "loss, more words",
    "probability, more words",
)
WORDS = ("rises", "stays", "falls")


def check_predictions(predictions: Mapping[str, str]) -> None:
    """Check that there is a prediction for each question; not whether it is right."""
    require_predictions(predictions, QUESTIONS, WORDS, "task 6")


def check_lowest_loss(lowest_loss: Callable) -> None:
    """Check the experiment against what can be worked out."""
    subject = Answer(lowest_loss, "lowest_loss", UNIT)
    compare_lowest_loss(subject, 10, 0.1)
    compare_lowest_loss(subject, 10, 0.3)
    subject.passed("the loss is as low as it can be, and the probability is the one that belongs to it")


def compare_lowest_loss(subject: Answer, vocab_size: int, smoothing: float) -> None:
    """Compare the end of the learner's descent with the bottom, which is known."""
    situation = f"{vocab_size} words, smoothing {smoothing:g}"
    result = subject(situation, vocab_size, smoothing)
    expected = "two Python numbers: the loss at the end, and the probability of the right word"
    if type(result) is not tuple or [type(each) for each in result] != [float, float]:
        kinds = [type(each).__name__ for each in result] if type(result) is tuple else type(result).__name__
        subject.fail(situation, f"it returned {kinds}", expected, "the return statement", "use `.item()` for each")
    loss, probability = result
    floor, right = lowest(vocab_size, smoothing)
    if abs(loss - floor) < 0.01 and abs(probability - right) < 0.01:
        return
    observed = f"a loss of {loss:.3f} and a probability of {probability:.3f}"
    if loss == 0 and abs(probability - 1 / vocab_size) < 1e-6:
        cause, hint = "the right word is number 0, which is padding, so nothing is learned", "choose another word"
    elif abs(loss - floor) < 0.01:
        cause, hint = "the probability of another word than the right one", "print all probabilities: which is large?"
    elif loss < floor - 0.01 and probability > right + 0.005:
        cause, hint = "the loss that is lowered has no smoothing, or less of it", "hand `smoothing` on to the loss"
    elif loss > floor + 0.01:
        cause = "the descent has stopped too early, or steps are so large that it jumps about"
        hint = "print the loss every 50 steps: does it still fall?"
    else:
        cause, hint = "loss and probability do not belong together", "return both as they are after the last step"
    bottom = "the lowest loss that any logits have, within a hundredth, and the probability of the right word there"
    subject.fail(situation, observed, bottom, cause, hint)


def check_mended_loss(mended_loss: Callable) -> None:
    """Check the mended loss; say how many bugs are left, and how one would notice."""
    subject = Answer(mended_loss, "mended_loss", UNIT)
    logits = 2 * draw(3, 5, 8, seed=7).double()
    target = torch.tensor([[1, 7, 6, 2, 0, 0], [1, 5, 3, 4, 6, 2], [1, 4, 2, 0, 0, 0]])
    situation = "3 sentences of 3, 5 and 2 words (EOS counted)"
    right = right_loss(logits, target[:, 1:], 0.0)
    result = require_shaped(subject, situation, subject(situation, logits, target), right)
    requirement = "the mean cross entropy of the words that the decoder shall say, padding left out"
    subject.compare(situation, result, right, requirement, batch_loss_mistakes(logits, target), BY_HAND)
    subject.passed("the loss of the words that the decoder shall say")


def compare_number(subject: Answer, situation: str, right: float, wrong: Mapping[str, float], *arguments: Any) -> None:
    """Compare a Python number with the oracle's; say which of the wrong ones it is."""
    result = subject(situation, *arguments)
    if type(result) is not float:
        kind = type(result).__name__
        subject.fail(
            situation, f"it returned a {kind}", "a Python number", "still a tensor, or nothing", "use `.item()`"
        )
    if math.isclose(result, right, rel_tol=1e-6):
        return
    causes = [cause for cause, number in wrong.items() if math.isclose(result, number, rel_tol=1e-6)]
    cause = causes[0] if causes else "none of the mistakes that we know"
    subject.fail(situation, "another number", "the number of the task", cause, BY_HAND)


def check_perplexity(perplexity: Callable) -> None:
    """Check the perplexity of two batches with unequal numbers of words."""
    subject = Answer(perplexity, "perplexity", UNIT)
    one = draw(2, 4, 6, seed=8).double(), torch.tensor([[3, 4, 5, 2], [3, 3, 2, 0]])
    other = draw(1, 3, 6, seed=9).double(), torch.tensor([[5, 2, 0]])
    losses = [right_loss(logits, labels, 0.0).item() for logits, labels in (one, other)]
    smooth = [right_loss(logits, labels, 0.1).item() for logits, labels in (one, other)]
    wrong = {
        "the mean of the means of the batches": math.exp(sum(losses) / 2),
        "the mean of the perplexities of the batches": sum(map(math.exp, losses)) / 2,
        "the exponential is missing": (7 * losses[0] + 2 * losses[1]) / 9,
        "the loss is smoothed: perplexity is that of the model, without smoothing": math.exp(
            (7 * smooth[0] + 2 * smooth[1]) / 9
        ),
        "padding counts in the number of words": math.exp((7 * losses[0] + 2 * losses[1]) / 11),
    }
    batches = [one, other]
    compare_number(subject, "two batches of 7 and 2 words", right_perplexity(batches), wrong, batches)
    subject.passed("every word of every batch counts the same")
