"""The checks of exercise 01. Each takes what the learner wrote and names the mistake that its results point to."""

import copy
from collections.abc import Callable, Sequence

import torch

from transformer_course.checks.answers import Answer
from transformer_course.checks.oracles_transduction import (
    lowest,
    right_log_probability,
    right_loss,
    right_padded,
    right_pair,
    right_perplexity,
)
from transformer_course.checks.reporting import Mistake, draw
from transformer_course.checks.token_results import require_shaped
from transformer_course.checks.transduction_experiments import (
    UNIT,
    check_lowest_loss,
    check_mended_loss,
    check_perplexity,
    check_predictions,
    compare_lowest_loss,
    compare_number,
)
from transformer_course.checks.transduction_mistakes import (
    BY_HAND,
    log_probability_mistakes,
    loss_mistakes,
    padding_mistakes,
    pair_mistakes,
)

LOSSES = ("cross_entropy", "nll_loss", "kl_div")
NOT_ALLOWED = {
    "pad_sequences": ("pad_sequence", "padded_tensor"),
    "sequence_log_probability": LOSSES,
    "label_smoothing_loss": LOSSES,
}

__all__ = [
    "answer",
    "check_label_smoothing_loss",
    "check_lowest_loss",
    "check_mended_loss",
    "check_pad_sequences",
    "check_perplexity",
    "check_predictions",
    "check_sequence_log_probability",
    "check_teacher_forcing_pair",
    "compare_lowest_loss",
    "compare_number",
    "compare_padded",
    "draw",
    "lowest",
    "right_log_probability",
    "right_loss",
    "right_padded",
    "right_pair",
    "right_perplexity",
]


def answer(function: Callable, name: str) -> Answer:
    """Wrap the learner's function for the checks of this unit."""
    return Answer(function, name, UNIT, NOT_ALLOWED.get(name, ()))


def compare_padded(
    subject: Answer, situation: str, sequences: list[list[int]], *pad_id: int, mistakes: Sequence[Mistake] = ()
) -> None:
    """Require torch's rectangle, and the sequences as they were."""
    right, before = right_padded(sequences, *pad_id), copy.deepcopy(sequences)
    result = subject(situation, sequences, *pad_id)
    if sequences != before:
        subject.fail(
            situation,
            "the call changed the lists that it was given",
            "sequences that are the same after the call as before it",
            "padding was appended to the caller's own lists",
            "write into a new tensor; or into copies: `list(sequence)`",
        )
    lengths = [len(each) for each in sequences]
    shortest = (len(sequences), min(lengths, default=0))
    known = {
        (len(sequences), max(lengths, default=0) + 1): (
            "one column of padding too many",
            "the longest sequence needs no padding",
        ),
        tuple(reversed(right.shape)): (
            "the batch stands in the second dimension, as torch's pad_sequence does by default",
            "the batch comes first, everywhere in this course",
        ),
        shortest: ("the sequences are cut to the shortest one", "no word may get lost: take the longest"),
        (0,): ("without sequences, an empty list became a tensor of one dimension", "make the rectangle first"),
    }
    result = require_shaped(subject, situation, result, right, {k: v for k, v in known.items() if k != right.shape})
    requirement = "row i holds sequence i from the left, and `pad_id` after it"
    subject.compare(situation, result, right, requirement, mistakes, BY_HAND)


def check_pad_sequences(pad_sequences: Callable) -> None:
    """Check the rectangle, another pad_id, empty lists."""
    subject = answer(pad_sequences, "pad_sequences")
    sequences = [[5, 6], [7, 8, 9, 4], [3]]
    compare_padded(subject, "three sequences", sequences, mistakes=padding_mistakes(sequences, 0))
    subject.passed("words on the left, padding on the right")
    compare_padded(subject, "pad_id = 9", sequences, 9, mistakes=padding_mistakes(sequences, 9))
    subject.passed("`pad_id` fills the rest")
    compare_padded(subject, "one of the sequences is empty", [[5, 6], []])
    compare_padded(subject, "no sequence at all", [])
    subject.passed("empty sequences, and none at all")


def check_teacher_forcing_pair(teacher_forcing_pair: Callable) -> None:
    """Check what the decoder reads and what it shall say."""
    subject = answer(teacher_forcing_pair, "teacher_forcing_pair")
    target = torch.tensor([[1, 7, 8, 2, 0, 0], [1, 5, 6, 9, 4, 2], [1, 2, 0, 0, 0, 0]])
    situation = "three sentences, padded to a length of 6"
    right = right_pair(target)
    result = subject(situation, target)
    names = ("decoder_input", "labels")
    known = {
        (3, 6): ("nothing was taken away: both results are one shorter than the target", "count the words"),
        (3, 7): ("a token was put in front; the target begins with BOS already", "take away a column, add none"),
        (3, 4): ("two columns are gone: shifted twice", "each of the two results lacks one column of the target"),
        (2, 5): ("a row is gone in the place of a column", "`target[:, ...]`: the first dimension is the batch"),
        (2, 6): ("a row is gone in the place of a column", "`target[:, ...]`: the first dimension is the batch"),
    }
    if type(result) is tuple and len(result) == 2:
        for each, like, name in zip(result, right, names, strict=True):
            require_shaped(subject, situation, each, like, known, name)
    inputs, labels = subject.require_pair(situation, result, right, names)
    wrong_inputs, wrong_labels = pair_mistakes(target)
    subject.compare(
        situation, inputs, right[0], "the input is the target without its last column", wrong_inputs, BY_HAND
    )
    subject.passed("the decoder reads BOS first")
    subject.compare(
        situation, labels, right[1], "the labels are the target without its first column", wrong_labels, BY_HAND
    )
    subject.passed("each label is the word after the one that is read")


def check_sequence_log_probability(sequence_log_probability: Callable) -> None:
    """Check the chain rule, padding, a long sentence, and the gradient."""
    subject = answer(sequence_log_probability, "sequence_log_probability")
    logits = draw(3, 5, 7, seed=1).double()
    labels = torch.tensor([[4, 6, 2, 0, 0], [5, 3, 4, 6, 2], [2, 0, 0, 0, 0]])
    situation = "3 sentences of 3, 5 and 1 words (EOS counted), vocabulary of 7"
    right = right_log_probability(logits, labels)
    known = {
        (): ("the sentences are added up too", "sum over the last dimension only: one number for each sentence"),
        (3, 5): ("the log probabilities of the words are not added up", "sum over the words of each sentence"),
        (5,): ("summed over the batch", "one number for each sentence: which dimension has to go?"),
        (3, 5, 7): ("no label was picked", "`gather` picks one entry for each position"),
    }
    result = require_shaped(subject, situation, subject(situation, logits, labels), right, known)
    requirement = "the sum of the log probabilities of the labels that are not padding"
    subject.compare(situation, result, right, requirement, log_probability_mistakes(logits, labels, right), BY_HAND)
    subject.passed("the sum over the words of a sentence, without padding")

    other = labels.masked_fill(labels == 0, 1)
    mistakes = [
        Mistake(
            right_log_probability(logits, other),
            "the words in the place of the padding count",
            "`pad_id` is not used for what is left out",
            "compare the labels with `pad_id`, not with a number",
        )
    ]
    situation = "pad_id = 1: rows are filled up with 1"
    result = require_shaped(subject, situation, subject(situation, logits, other, pad_id=1), right, known)
    subject.compare(situation, result, right, requirement, mistakes, BY_HAND)
    situation = "pad_id = -100, which is no word of the vocabulary"
    other = labels.masked_fill(labels == 0, -100)
    result = require_shaped(subject, situation, subject(situation, logits, other, pad_id=-100), right, known)
    subject.compare(situation, result, right, requirement, (), BY_HAND)
    subject.passed("any `pad_id`")

    situation = "a sentence of 500 words"
    logits, labels = draw(1, 500, 7, seed=2), draw(1, 500, seed=3).abs().long().clamp(max=5) + 1
    underflow = Mistake(
        lambda result: bool(result.isinf().any()),
        "the log probability is minus infinity",
        "the product of 500 probabilities is smaller than the smallest number of float32, and becomes 0",
        "add up logarithms; the product is never needed",
    )
    result = require_shaped(subject, situation, subject(situation, logits, labels), right[:1].float())
    subject.compare(situation, result, right_log_probability(logits, labels), requirement, [underflow], BY_HAND)
    subject.passed("long sentences do not underflow")
    small, words = draw(2, 3, 4, seed=4).double(), torch.tensor([[3, 2, 0], [1, 3, 2]])
    subject.gradients("the gradient", lambda x: right_log_probability(x, words), small, keywords={"labels": words})
    subject.passed("the gradient is that of the formula")


def check_label_smoothing_loss(label_smoothing_loss: Callable) -> None:
    """Check the loss with and without smoothing, on padding alone, and its gradient."""
    subject = answer(label_smoothing_loss, "label_smoothing_loss")
    logits = draw(2, 4, 6, seed=5).double()
    labels = torch.tensor([[4, 5, 2, 0], [3, 2, 0, 0]])
    requirement = "the mean over the labels that are not padding of the cross entropy against the smoothed labels"
    known = {
        (2, 4): ("the losses of the labels are not averaged", "the result is one number"),
        (2,): ("one number for each sentence", "the mean runs over all labels of the batch"),
        (1,): ("a dimension of size 1 is left", "the result is a tensor without dimensions"),
    }
    for smoothing in (0.3, 0.0):
        situation = f"smoothing {smoothing}, vocabulary of 6, 3 of 8 labels are padding"
        right = right_loss(logits, labels, smoothing)
        result = require_shaped(subject, situation, subject(situation, logits, labels, smoothing), right, known)
        subject.compare(
            situation, result, right, requirement, loss_mistakes(logits, labels, smoothing or 1e-9, right), BY_HAND
        )
    subject.passed("with and without smoothing")
    situation = "pad_id = 1: rows are filled up with 1"
    ignored = Mistake(
        right_loss(logits, labels.masked_fill(labels == 0, 1)),
        "the words in the place of the padding count",
        "`pad_id` is not used for what is left out",
        "compare the labels with `pad_id`, not with a number",
    )
    right = right_loss(logits, labels)
    result = subject(situation, logits, labels.masked_fill(labels == 0, 1), pad_id=1)
    subject.compare(
        situation, require_shaped(subject, situation, result, right, known), right, requirement, [ignored], BY_HAND
    )
    subject.passed("any `pad_id`")
    words = torch.tensor([3, 2, 5])
    subject.returns("logits (3, 6) and labels (3,)", right_loss(logits[0, :3], words), logits[0, :3], words)
    subject.passed("any leading shape")

    nothing = torch.zeros_like(labels)
    situation = "a batch of nothing but padding"
    result = require_shaped(subject, situation, subject(situation, logits, nothing), right)
    if not bool(result == 0):
        subject.fail(
            situation,
            f"the loss is {float(result):g}",
            "a loss of 0",
            "the number of labels is 0, and 0 divided by 0 is NaN",
            "divide by at least 1",
        )
    subject.gradients(situation, lambda x: right_loss(x, nothing), logits, keywords={"labels": nothing})
    subject.passed("padding alone gives 0, attached to the graph")
    small, words = draw(2, 3, 5, seed=6).double(), torch.tensor([[4, 2, 0], [1, 3, 2]])
    subject.gradients("the gradient", lambda x: right_loss(x, words), small, keywords={"labels": words})
    subject.passed("the gradient is that of the formula")
