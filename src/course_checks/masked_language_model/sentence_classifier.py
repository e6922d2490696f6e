"""Task `SentenceClassifier` of exercise 14."""

import torch
from torch import nn
from torch.nn import functional as F

from course_checks.cases import Case, refuses
from course_checks.masked_language_model.models import CALLED, SmallEncoder
from course_checks.masked_language_model.shared import UNIT, sentences
from course_checks.modules import built, parameter_gradients, require_parameters
from course_checks.outcomes import same
from course_checks.task import Task
from transformer_course.common.tokens import PAD

task = Task("SentenceClassifier", UNIT)

_PADS = "append PAD to a sentence: should the logits move?"
_COPIED = "a copy of the encoder is kept (`deepcopy`): the encoder that was handed over does not learn"
_LEARNS = "call .sum().backward() on the logits, and print the gradient of encoder.token"


@task.oracle
class Right(nn.Module):
    """Pool sentence by sentence."""

    def __init__(self, encoder, d_model, num_classes):
        super().__init__()
        self.encoder, self.head = encoder, nn.Linear(d_model, num_classes)

    def forward(self, tokens):
        """Judge one sentence after the other."""
        real = tokens != getattr(self.encoder, "pad_id", PAD)
        hidden = self.encoder.encode(tokens)
        pooled = [row[keep].sum(0) / max(1, int(keep.sum())) for row, keep in zip(hidden, real, strict=True)]
        return F.linear(torch.stack(pooled), self.head.weight, self.head.bias)


# fmt: off
_REAL, _ENCODED = 'tokens != getattr(self.encoder, "pad_id", PAD)', "self.encoder.encode(tokens)"
_MEAN = "hidden.sum(dim=1) / real.sum(dim=1, keepdim=True).clamp(min=1)"
_SOFTMAX = "{} at the end; logits are wanted"
_BENT = "an activation stands between pooling and head, or behind it", "one linear layer, no more"
task.edit(_REAL, {
    'tokens == getattr(self.encoder, "pad_id", PAD)': (
        "the mean is taken over padding, not over words", "print the mask: is it True for words, or for padding?"),
    "tokens == tokens": ("padding is in the mean", _PADS),
    "tokens != PAD": ("padding is always 0 here, whatever the encoder's `pad_id` is",
                      "where does the encoder say what padding is?"),
    "tokens != self.encoder.pad_id": (
        "the encoder is asked for `pad_id`, but it may have none", "`getattr` has a third argument")})
task.edit(f"self.head({_MEAN})", {
    f"self.head({_ENCODED}[:, 0])": ("only the vector of the first word is read", "the task pools"),
    f"self.head({_ENCODED}[:, -1])": (
        "only the vector of the last position is read, which may be padding", "the task pools"),
    "self.head(hidden.sum(dim=1))": ("the sum over the words, not their mean", _PADS),
    "self.head(hidden.mean(dim=1))": (
        "the sum is divided by the length of the batch, not by the number of real words", _PADS),
    "self.head(hidden.masked_fill(~real.unsqueeze(-1), -torch.inf).amax(dim=1))": (
        "the largest number over the words is taken, not the mean", "the task pools"),
    "self.head(hidden).sum(dim=1) / real.sum(dim=1, keepdim=True).clamp(min=1)": (
        "the head reads each place, and its bias is counted for padding too", _PADS),
    f"self.head({_MEAN}).softmax(-1)": (
        _SOFTMAX.format("softmax"), "the loss applies it itself", "each row sums to 1"),
    f"self.head({_MEAN}).log_softmax(-1)": (
        _SOFTMAX.format("log_softmax"), "the loss applies it itself", "logarithms of probabilities"),
    f"self.head({_MEAN}) * real.any(dim=1, keepdim=True)": (
        "a sentence without words has the logits 0: they are set, or `head` stands before the mean and not behind it",
        "what is `head` of a vector of zeros?"),
    f"self.head(torch.tanh({_MEAN}))": _BENT,
    f"self.head(torch.relu({_MEAN}))": _BENT,
    f"self.head({_ENCODED}).mean(dim=1)": (
        "the head reads each word, and the logits are pooled with the padding", _PADS),
    f"self.head({_MEAN}).argmax(-1)": ("the class is returned, not the logits", "training needs logits")})
task.edit(_ENCODED, {
    f"{_ENCODED}.detach()": (
        "the encoder is cut off from the graph (`detach`, `no_grad`)", _LEARNS, "no gradient gets to it"),
    "self.encoder.eval().encode(tokens)": (
        "`forward` puts the encoder into evaluation mode (`eval`), which switches off its dropout for good",
        "who calls the model chooses its mode: print `encoder.training`"),
    "self.encoder(tokens)": CALLED})
task.edit("nn.Linear(d_model, num_classes)", {
    "nn.Linear(d_model, num_classes, bias=False)": ("the head has no bias", "a plain nn.Linear")})
task.edit("self.encoder = encoder", {
    "import copy\nself.encoder = copy.deepcopy(encoder)": (_COPIED, "print `classifier.encoder is encoder`"),
    'vars(self)["encoder"] = encoder': (
        "the encoder is no part of the module: it is kept in a plain list or dict", _LEARNS)})
# fmt: on


def making(answer, vocab_size, d_model, num_classes, pad_id=None, dtype=torch.float64):
    """Make a classifier with known numbers, and require the parameters of the task."""
    encoder = SmallEncoder(vocab_size, d_model, pad_id, dtype)
    module = built(answer, encoder, d_model, num_classes, dtype=dtype)
    require_parameters(module, {"encoder.token": (vocab_size, d_model), "head.weight": (num_classes, d_model),
                                "head.bias": (num_classes,)})  # fmt: skip
    return module


def logits(answer, tokens, *sizes):
    """Observe the logits."""
    return making(answer, *sizes)(tokens)


def learned(answer, tokens, *sizes):
    """Observe the gradients of all parameters."""
    return parameter_gradients(making(answer, *sizes), tokens)


PADDED = [[5, 6, 7, 0, 0], [4, 8, 0, 0, 0], [3, 4, 5, 6, 7]]
task.require("the head reads the mean over real words of what `encode` says",
    "head(mean over the real words of encoder.encode(tokens))",
    [Case("3 sentences with padding, 2 classes", (sentences(*PADDED), 9, 6, 2), logits),
     Case("pad_id = 8, and words 0", (sentences([5, 0, 7, 8, 8], [4, 0, 0, 3, 2]), 9, 4, 3, 8), logits)],
    [Case("one sentence, 5 classes", (sentences([5, 6, 4]), 8, 3, 5), logits),
     Case("pad_id = 2", (sentences([5, 0, 2, 2], [1, 4, 0, 3]), 9, 5, 2, 2), logits),
     Case("float32", (sentences(*PADDED), 9, 6, 2, None, torch.float32), logits)],
    CALLED[1])  # fmt: skip
task.require("encoder and head both learn", "gradients for the head and for every parameter of the encoder",
    [Case("the gradients of all parameters", (sentences(*PADDED), 9, 6, 2), learned)],
    [Case("the gradients of all parameters, 4 classes", (sentences([5, 3, 0], [4, 6, 8]), 9, 5, 4), learned)],
    _LEARNS)  # fmt: skip


@task.probe("the encoder that was handed over is the one that learns", "a change of the encoder changes the logits",
            _COPIED, "print `classifier.encoder is encoder`")  # fmt: skip
def one_encoder(answer):
    """The encoder becomes another one after the classifier was made."""
    encoder, tokens = SmallEncoder(9, 6, None, torch.float64), sentences([5, 6, 7], [4, 8, 0])
    module = built(answer, encoder, 6, 2)
    before = module(tokens)
    with torch.no_grad():
        for parameter in encoder.parameters():
            parameter.mul_(2)
    return None if not same(module(tokens), before) else "the encoder has changed, and the logits have not"


def _refuses(answer, *sizes):
    return refuses()(lambda *given: answer(SmallEncoder(9, 4), *given), *sizes)


task.limits("one word, a sentence without words, and wrong input",
    [Case("a sentence of nothing but padding", (sentences([5, 6, 0], [0, 0, 0]), 9, 4, 2), logits),
     Case("sentences of one word", (sentences([5], [7]), 9, 4, 2), logits),
     Case("no class", (4, 0), _refuses, right=True), Case("a width of 0", (0, 2), _refuses, right=True)])  # fmt: skip
