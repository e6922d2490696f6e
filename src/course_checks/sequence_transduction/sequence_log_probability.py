"""Task `sequence_log_probability` of exercise 01."""

import math

import torch
from torch.nn import functional as F

from course_checks.cases import Case, drawn, gradients, refusal
from course_checks.sequence_transduction.shared import FORMED, INDEX, LOSSES, MISTAKES, UNIT, saying, sentences
from course_checks.task import Task

task = Task("sequence_log_probability", UNIT, LOSSES)


@task.oracle
def right(logits, labels, pad_id=0):
    """Sum up torch's cross entropy of each sentence, in float64."""
    losses = F.cross_entropy(logits.double().transpose(1, 2), labels, ignore_index=pad_id, reduction="none")
    return -losses.sum(1).to(logits.dtype)


# fmt: off
_SUM = "by the chain rule the log probability of a sentence is the sum of those of its words, padding left out"
_DIMENSION = "one number for each sentence: which dimension has to go?"
_PICK = "pick the entry of the label: `gather`"
for _old, _wrong in MISTAKES.items():
    task.edit(_old, _wrong)
task.edit("log_probabilities.gather(-1, words.unsqueeze(-1)).squeeze(-1)", {
    "log_probabilities.amax(-1)": (
        "the log probability of the most probable word is taken, whatever the label is", _PICK),
    "log_probabilities.sum(-1)": (
        "the log probabilities of all words are added, not only that of the label", _PICK),
    "log_probabilities[torch.arange(len(labels))[:, None], torch.arange(labels.shape[1]), labels]": INDEX,
    "(F.one_hot(words, logits.shape[-1]) * log_probabilities).sum(-1)": (
        "the log probabilities are multiplied with one-hot labels, and 0 times infinity is NaN",
        "pick the entry of the label (`gather`), do not multiply", "it is NaN"),
})
task.edit(".sum(dim=-1)", {
    ".sum(dim=-1) / (~padding).sum(dim=-1).clamp(min=1)": (
        "the mean over the words of a sentence is taken, not the sum", _SUM),
    ".mean(dim=-1)": ("the mean over the padded length is taken, not the sum", _SUM),
    ".sum()": ("the sentences are added up too", _DIMENSION),
    ".sum() / (~padding).sum()": ("one mean is taken over all words of the batch", _DIMENSION),
    ".sum(dim=0)": ("it is summed over the batch, not over the words", _DIMENSION),
    "": ("the log probabilities of the words are not added up", _DIMENSION),
    ".sum(dim=-1).exp()": ("the probability is returned, not its logarithm", "the task asks for log P(y|x)",
        "it lies between 0 and 1"),
    ".sum(dim=-1).neg()": ("the sign is turned: this is a loss, not a log probability",
        "the logarithm of a probability is 0 at most"),
    ".exp().prod(dim=-1).log()": ("the probabilities are multiplied before the logarithm is taken: the product of "
        "hundreds of them is smaller than the smallest number of float32", "add up logarithms; the product is never "
        "needed", "it is minus infinity"),
})
# fmt: on


def impossible(draw, at="padding"):
    """Draw sentences; -inf for word 0 where there is padding, for a word that does not occur, or for a label."""
    logits, labels = sentences((3, 5, 2), 8)(draw)
    if at == "padding":
        return logits.masked_fill((labels == 0)[..., None] & (torch.arange(8) == 0), -math.inf), labels
    if at == "elsewhere":
        logits[..., 1] = -math.inf
        return logits, labels.masked_fill(labels == 1, 3)
    return logits.scatter(-1, labels[:1, 1:2, None], -math.inf), labels


EXPECTED = "for each sentence the sum of the log probabilities of its labels that are not padding"
SOME = sentences((3, 5, 1), 7)
task.require("the sum over the words of a sentence, without padding", EXPECTED,
             [Case("3 sentences of 3, 5 and 1 words (EOS counted), vocabulary of 7", SOME),
              Case("padding in front of words and between them", sentences((5, 4), 6, inside=True))],
             [Case("one sentence", sentences((6,), 9)), Case("one word each", sentences((1, 1), 5)),
              Case("all sizes equal", sentences((4, 2, 3, 1), 4)), Case("many words", sentences((40, 17, 30), 11)),
              Case("padding inside, other sizes", sentences((4, 6, 6), 9, inside=True))])  # fmt: skip
task.require("any `pad_id`", EXPECTED,
             [Case("pad_id = 5, a word of the vocabulary", sentences((3, 5, 2), 8, 5, more=(5,))),
              Case("pad_id = -100, which is no word", sentences((3, 5, 2), 8, -100, more=(-100,))),
              Case("pad_id = 99, which is no word", sentences((3, 5, 2), 8, 99, more=(99,)))],
             [Case("pad_id = 3", sentences((6, 4), 5, 3, more=(3,))),
              Case("pad_id = -1", sentences((2, 4, 3), 6, -1, more=(-1,)))])  # fmt: skip
task.require("long sentences do not underflow, large logits do not overflow", EXPECTED,
             [Case("a sentence of 500 words", sentences((500,), 7, dtype=torch.float32)),
              Case("logits around 1000", sentences((3, 4), 5, scale=1000.0), saying(*FORMED))],
             [Case("other large logits", sentences((2, 6, 3), 8, scale=3000.0))])  # fmt: skip
task.require("the gradient is that of the formula", "the derivative of the formula",
             [Case("the gradient, 2 sentences", sentences((3, 2), 5), gradients())],
             [Case("the gradient, 3 sentences", sentences((2, 4, 3), 6), gradients())])  # fmt: skip
SHAPED = torch.ones(2, 3, 5), torch.ones(2, 3, dtype=torch.long)
task.limits(
    "impossible words (-inf), rows of padding, float16, and wrong input",
    [
        Case("a logit of -inf where there is padding", impossible),
        Case("a word that is impossible everywhere, and does not occur", lambda draw: impossible(draw, "elsewhere")),
        Case("a sentence that holds an impossible word", lambda draw: impossible(draw, "label")),
        Case("a row of padding", drawn("2 3 5", torch.tensor([[3, 4, 2], [0, 0, 0]]))),
        Case("float16", sentences((3, 2), 5, dtype=torch.float16)),
        refusal("logits without a batch", (SHAPED[0][0], SHAPED[1][0])),
        refusal("labels for one sentence only", (SHAPED[0], SHAPED[1][:1])),
        refusal("labels that are floats", (SHAPED[0], SHAPED[1].float())),
        refusal("a label that is no word", (SHAPED[0], SHAPED[1] + 4)),
    ],
    EXPECTED + "; padding adds 0, whatever its logits are",
)  # fmt: skip
