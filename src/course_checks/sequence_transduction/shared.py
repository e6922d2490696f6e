"""What several tasks of exercise 01 share: log probabilities, what is left out, and the ways in which they go wrong."""

import math

import torch
from torch import Tensor
from torch.nn import functional as F

from course_checks.words import Wrong
from transformer_course.common.tokens import BOS, EOS, PAD

UNIT = "sequence_transduction"
LOSSES = ("cross_entropy", "nll_loss", "kl_div", "NLLLoss", "KLDivLoss")

_COMPETE = "which numbers compete: those of all words of the vocabulary at one position"
_LOG = "`log_softmax` never forms the probabilities"
LOGS = {
    "none": Wrong("softmax is missing: logits are used as if they were log probabilities", "",
                  "the probabilities of all words at one position sum to 1; do yours?"),
    "twice": Wrong("softmax is taken twice: log_softmax of what softmax returned", "",
                   "`log_softmax` takes the logits as they are"),
    "positions": Wrong("softmax runs over the positions of the sentence, not over the words of the vocabulary", "",
                       _COMPETE),
    "first": Wrong("softmax runs over the first dimension (the sentences of the batch)", "", _COMPETE),
    "probabilities": Wrong("the logarithm is missing: probabilities are added", "",
                           "which function turns a product into a sum?"),
    "overflow": Wrong("e^logit is computed of the logits as they are: e^1000 is infinite", "numbers are NaN", _LOG),
    "log of softmax": Wrong("the logarithm of softmax: a small probability is 0 in floating point", "it is infinite",
                            _LOG),
    "bits": Wrong("the logarithm has base 2 (`log2`)", "", "the task asks for nats: the natural logarithm"),
}  # fmt: skip
_PADDING = "add a column of padding to your batch: nothing may change"
INDEX = "a label that is padding is used as an index, and -100 is no word"
LEFT_OUT = {
    "nothing": Wrong("padding counts like a word", "it changes when padding is added", _PADDING),
    "PAD": Wrong("`pad_id` is not used: the labels are compared with a number", "",
                 "which argument says what padding is?"),
    "EOS too": Wrong("EOS is left out like padding", "",
                     "a sentence ends because the model says so: EOS is a word to be learned too"),
    "BOS too": Wrong("all special tokens (ids up to 2) are left out, not only `pad_id`", "",
                     "only labels that are equal to `pad_id` are no words"),
    "smaller": Wrong("labels are compared with `pad_id` by `>`: every smaller id is left out too", "",
                     "only labels that are equal to `pad_id` are no words"),
    "after": Wrong("everything after the first padding is left out", "",
                   "only labels that are equal to `pad_id` are no words, wherever they stand"),
    "last": Wrong("the last column is cut off", "", "no column is too many here: input and labels fit already"),
    "times zero": Wrong("what padding adds is multiplied with 0, and 0 times infinity is NaN", "it is NaN",
                        "set it to 0 (`masked_fill`, `torch.where`), do not multiply"),
    "indexed": Wrong(INDEX, "", "put some word, such as 0, in its place before you pick; leave it out afterwards"),
}  # fmt: skip


def log_probabilities(logits: Tensor, logs: str) -> Tensor:
    """Compute log probabilities with one choice of how."""
    before_last = max(-2, -logits.dim())
    return {
        "none": lambda: logits,
        "twice": lambda: logits.softmax(-1).log_softmax(-1),
        "positions": lambda: logits.log_softmax(before_last),
        "first": lambda: logits.log_softmax(0),
        "probabilities": lambda: logits.softmax(-1),
        "overflow": lambda: (logits.exp() / logits.exp().sum(-1, keepdim=True)).log(),
        "log of softmax": lambda: logits.softmax(-1).log(),
        "bits": lambda: logits.log_softmax(-1) / math.log(2),
    }.get(logs, lambda: logits.log_softmax(-1))()


def counted(labels: Tensor, pad_id: int, left_out: str) -> Tensor:
    """Say which labels count, with one choice for what is left out."""
    real = labels != pad_id
    return {
        "nothing": lambda: torch.ones_like(real),
        "PAD": lambda: labels != PAD,
        "EOS too": lambda: real & (labels != EOS),
        "BOS too": lambda: real & ((labels > EOS) | (labels < BOS)),
        "smaller": lambda: labels > pad_id,
        "after": lambda: real.long().cumprod(-1).bool() if labels.dim() else real,
        "last": lambda: real & (torch.arange(real.shape[-1]) < real.shape[-1] - 1) if labels.dim() else real,
    }.get(left_out, lambda: real)()


def pick(numbers: Tensor, labels: Tensor, pad_id: int, left_out: str) -> Tensor:
    """Pick the number of each label; padding picks word 0, unless it is used as an index."""
    as_they_are = left_out in ("indexed", "PAD", "nothing")
    words = labels if as_they_are else labels.masked_fill(labels == pad_id, 0)
    return numbers.gather(-1, words.unsqueeze(-1)).squeeze(-1)


def leave_out(numbers: Tensor, real: Tensor, left_out: str) -> Tensor:
    """Set to 0 what does not count, or multiply it with 0."""
    return numbers * real if left_out == "times zero" else numbers.masked_fill(~real, 0.0)


def right_loss(logits: Tensor, labels: Tensor, smoothing: float = 0.1, pad_id: int = 0) -> Tensor:
    """Ask torch for the cross entropy with label smoothing, in float64; padding alone gives 0."""
    rows, words = logits.double().reshape(-1, logits.shape[-1]), labels.reshape(-1)
    total = F.cross_entropy(rows, words, ignore_index=pad_id, reduction="sum", label_smoothing=smoothing)
    return (total / max(int((labels != pad_id).sum()), 1)).to(logits.dtype)


def sentences(lengths, vocab_size, pad_id=0, dtype=torch.float64, scale=2.0, inside=False):
    """Draw logits, and labels of sentences of these lengths: words, EOS and padding."""

    def inputs(draw):
        longest = max(lengths)
        labels = draw.integers(1, vocab_size, len(lengths), longest)
        for row, length in enumerate(lengths):
            labels[row, length - 1] = EOS
            labels[row, length:] = 0
        if inside:  # padding in front of words, and between them
            labels[0, 0] = labels[-1, longest // 2] = 0
        labels = torch.where(labels == 0, pad_id, torch.where(labels == pad_id, 0, labels))
        return draw(len(lengths), longest, vocab_size, dtype=dtype, scale=scale), labels

    return inputs
