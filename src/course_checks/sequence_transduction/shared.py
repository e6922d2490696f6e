"""What several tasks of exercise 01 share: their oracle, sentences, and the mistakes of the two sums over labels."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from course_checks.outcomes import is_tensor, same
from course_checks.words import Wrong
from transformer_course.common.tokens import EOS

UNIT = "sequence_transduction"
LOSSES = ("cross_entropy", "nll_loss", "kl_div", "NLLLoss", "KLDivLoss")

# fmt: off
_COMPETE = "which numbers compete: those of all words of the vocabulary at one position"
_LOG = "`log_softmax` never forms the probabilities"
_PADDING = "add a column of padding to your batch: nothing may change"
_ONLY = "only labels that are equal to `pad_id` are no words"
FORMED = ("probabilities are formed on the way: a small one is 0 in floating point, and a number that is added to it "
          "before the logarithm changes it", _LOG)
INDEX = ("a label that is padding is used as an index, and -100 is no word",
          "put some word, such as 0, in its place before you pick; leave it out afterwards")
MISTAKES = {  # from the logits to the log probabilities of the labels, padding left out
    "logits.log_softmax(dim=-1)": {
        "logits": ("softmax is missing: logits are used as if they were log probabilities",
            "the probabilities of all words at one position sum to 1; do yours?"),
        "logits.softmax(-1).log_softmax(-1)": ("softmax is taken twice: log_softmax of what softmax returned",
            "`log_softmax` takes the logits as they are"),
        "logits.log_softmax(-2)": ("softmax runs over the positions of the sentence, not over the words of the "
            "vocabulary", _COMPETE),
        "logits.log_softmax(0)": ("softmax runs over the first dimension (the sentences of the batch)", _COMPETE),
        "logits.softmax(-1)": ("the logarithm is missing: probabilities are added",
            "which function turns a product into a sum?"),
        "(logits - logits.max()) - (logits - logits.max()).exp().sum(-1, keepdim=True).log()": (
            "the maximum of the whole tensor is subtracted, not that of each row: in a row far below it every e^logit "
            "is 0, whose logarithm is -inf", "which dimension do the words of the vocabulary stand in?"),
        "(logits.exp() / logits.exp().sum(-1, keepdim=True)).log()": (
            "e^logit is computed of the logits as they are: e^1000 is infinite", _LOG, "numbers are NaN"),
        "logits.softmax(-1).log()": ("the logarithm of softmax: a small probability is 0 in floating point; or that of "
            "a sum of e^logit, with the logits as they are: e^1000 is infinite", _LOG, "it is infinite"),
        "(logits.softmax(-1) + 1e-9).log()": FORMED,
        "logits.log_softmax(-1) / math.log(2)": ("the logarithm has base 2 (`log2`)",
            "the task asks for nats: the natural logarithm"),
    },
    "labels == pad_id": {
        "torch.zeros_like(labels, dtype=torch.bool)": (
            "padding counts like a word", _PADDING, "it changes when padding is added"),
        "labels == PAD": ("`pad_id` is not used: the labels are compared with a number",
            "which argument says what padding is?"),
        "(labels == pad_id) | (labels == EOS)": ("EOS is left out like padding",
            "a sentence ends because the model says so: EOS is a word to be learned too"),
        "(labels == pad_id) | (labels == BOS) | (labels == EOS)": (
            "all special tokens (ids up to 2) are left out, not only `pad_id`", _ONLY),
        "labels <= pad_id": ("labels are compared with `pad_id` by `>`: every smaller id is left out too", _ONLY),
        "(labels == pad_id).cumsum(-1) > 0": (
            "everything after the first padding is left out", f"{_ONLY}, wherever they stand"),
        "(labels == pad_id) | ((labels == EOS).cumsum(-1) > (labels == EOS).long())": (
            "everything after the first EOS is left out", f"{_ONLY}; what comes after EOS is no concern of this task"),
    },
    "labels.masked_fill(padding, 0)": {
        "labels": INDEX,
        "F.one_hot(labels, logits.shape[-1]).argmax(-1)": INDEX,
        "labels.clamp(min=0)": ("a `pad_id` above all words is used as an index: `clamp(min=0)` changes only what is "
            "below 0", INDEX[1]),
    },
    ".masked_fill(padding, 0.0)": {".mul(~padding)": (
        "what padding adds is multiplied with 0, and 0 times infinity is NaN",
        "set it to 0 (`masked_fill`, `torch.where`), do not multiply", "it is NaN")},
    "padding = ": {
        "labels = labels.clamp(min=0)\npadding = ": (
            "the labels are changed before they are compared with `pad_id`: padding of -100 becomes word 0, and counts",
            "ask first which labels are padding, then change them"),
        "logits, labels = logits[..., :-1, :], labels[..., :-1]\npadding = ": (
            "the last column is cut off", "no column is too many here: input and labels fit already"),
        "logits, labels = logits[..., :-1, :], labels[..., 1:]\npadding = ": (
            "the labels are shifted once more", "logits and labels of one position belong together"),
    },
}
# fmt: on


def saying(cause: str, hint: str) -> Callable:
    """Observe what an answer returns, and say this of other numbers; what is nearly right is described as such."""

    def observe(answer: Callable, *inputs: Any) -> Any:
        return answer(*inputs)

    def words(value: Tensor, right: Tensor) -> Wrong | None:
        return Wrong(cause, "the result", hint) if value.shape == right.shape and not same(value, right, 1e-3) else None

    observe.words = words
    return observe


def where_nan(observe: Callable, cause: str, hint: str) -> Callable:
    """Say this of NaN or infinity in what is observed; any other difference is described."""

    def observed(answer: Callable, *inputs: Any) -> Any:
        return observe(answer, *inputs)

    def words(value: Any, right: Any) -> Wrong | None:
        parts = [part for part in (value if isinstance(value, tuple) else (value,)) if is_tensor(part)]
        return None if all(part.isfinite().all() for part in parts) else Wrong(cause, "NaN or infinity", hint)

    observed.words = words
    return observed


def right_loss(logits: Tensor, labels: Tensor, smoothing: float = 0.1, pad_id: int = 0) -> Tensor:
    """Ask torch for the cross entropy with label smoothing, in float64; padding alone gives 0."""
    rows, words = logits.double().reshape(-1, logits.shape[-1]), labels.reshape(-1)
    total = F.cross_entropy(rows, words, ignore_index=pad_id, reduction="sum", label_smoothing=smoothing)
    return (total / max(int((labels != pad_id).sum()), 1)).to(logits.dtype)


def sentences(lengths, vocab_size, pad_id=0, dtype=torch.float64, scale=2.0, inside=False, more=()):
    """Draw logits, and labels of sentences of these lengths: words, EOS and padding; ``more`` arguments follow."""

    def inputs(draw):
        longest = max(lengths)
        labels = draw.integers(1, vocab_size, len(lengths), longest)
        for row, length in enumerate(lengths):
            labels[row, length - 1] = EOS
            labels[row, length:] = 0
        if inside:  # padding in front of words, and between them
            labels[0, 0] = labels[-1, longest // 2] = 0
        labels = torch.where(labels == 0, pad_id, torch.where(labels == pad_id, 0, labels))
        return draw(len(lengths), longest, vocab_size, dtype=dtype, scale=scale), labels, *more

    return inputs
