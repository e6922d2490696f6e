"""Task `SentenceClassifier` of exercise 14."""

import copy

import torch
from torch import nn
from torch.nn import functional as F

from course_checks.cases import Case, refusal
from course_checks.masked_language_model.models import SmallEncoder
from course_checks.masked_language_model.shared import UNIT
from course_checks.modules import built, parameter_gradients, require_parameters, unwrapped
from course_checks.outcomes import same
from course_checks.task import Task
from course_checks.words import Wrong
from transformer_course.common.tokens import PAD

task = Task("SentenceClassifier", UNIT)

_PADS = "append PAD to a sentence: should the logits move?"
_CALL = "print the shape of what you pool: (batch, length, d_model)"
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


@task.builds(
    pooled={
        "padding too": Wrong("padding is in the mean", "", _PADS),
        "pad 0": Wrong("padding is always 0 here, whatever the encoder's `pad_id` is", "",
                       "where does the encoder say what padding is?"),
        "no default": Wrong("the encoder is asked for `pad_id`, but it may have none", "",
                            "`getattr` has a third argument"),
        "first": Wrong("only the vector of the first word is read", "", "the task pools"),
        "last": Wrong("only the vector of the last position is read, which may be padding", "", "the task pools"),
        "sum": Wrong("the sum over the words, not their mean", "", _PADS),
    },
    said={
        "softmax": Wrong("softmax at the end; logits are wanted", "each row sums to 1", "the loss applies it itself"),
        "log_softmax": Wrong("log_softmax at the end; logits are wanted", "logarithms of probabilities",
                             "the loss applies it itself"),
        "empty 0": Wrong("the logits of a sentence without words are set to 0: its mean is 0, and `head` adds its bias",
                         "", "what is `head` of a vector of zeros?"),
        "tanh": Wrong("an activation stands between pooling and head, or behind it", "", "one linear layer, no more"),
        "each word": Wrong("the head reads each word, and the logits are pooled with the padding", "", _PADS),
        "argmax": Wrong("the class is returned, not the logits", "", "training needs logits"),
    },
    learns={
        "frozen": Wrong("the encoder is cut off from the graph (`detach`, `no_grad`)", "no gradient gets to it",
                        _LEARNS),
        "evaluation": Wrong("`forward` puts the encoder into evaluation mode (`eval`), which switches off its dropout "
                            "for good", "", "who calls the model chooses its mode: print `encoder.training`"),
        "no bias": Wrong("the head has no bias", "", "a plain nn.Linear"),
        "copied": Wrong(_COPIED, "", "print `classifier.encoder is encoder`"),
        "hidden": Wrong("the encoder is no part of the module: it is kept in a plain list or dict", "", _LEARNS),
    },
    read={
        "logits": Wrong("the encoder is called itself, which gives logits, in the place of its method `encode`", "",
                        _CALL),
    },
)  # fmt: skip
def make(*, pooled="mean of words", said="logits", learns="all", read="encode"):
    """Make a class with one choice for each step."""

    class Classifier(nn.Module):
        def __init__(self, encoder, d_model, num_classes):
            super().__init__()
            encoder = copy.deepcopy(encoder) if learns == "copied" else encoder
            self.kept = [encoder]
            if learns != "hidden":
                self.encoder = encoder
            self.head = nn.Linear(d_model, num_classes, bias=learns != "no bias")

        def forward(self, tokens):
            encoder = self.kept[0].eval() if learns == "evaluation" else self.kept[0]
            pad_id = encoder.pad_id if pooled == "no default" else getattr(encoder, "pad_id", PAD)
            pad_id = PAD if pooled == "pad 0" else pad_id
            hidden = encoder(tokens) if read == "logits" else encoder.encode(tokens)
            hidden = hidden.detach() if learns == "frozen" else hidden
            real = tokens != pad_id if pooled != "padding too" else tokens == tokens
            number = 1 if pooled == "sum" else real.sum(1, keepdim=True).clamp(min=1)
            mean = hidden.masked_fill(~real[..., None], 0).sum(1) / number
            mean = {"first": hidden[:, 0], "last": hidden[:, -1]}.get(pooled, mean)
            mean = torch.tanh(mean) if said == "tanh" else mean
            logits = self.head(hidden).mean(1) if said == "each word" else self.head(mean)
            names = {"softmax": torch.softmax, "log_softmax": torch.log_softmax}
            logits = names[said](logits, -1) if said in names else logits
            logits = logits * real.any(1, keepdim=True) if said == "empty 0" else logits
            return logits.argmax(-1) if said == "argmax" else logits

    return Classifier


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


def refused(answer, *sizes):
    """Make a classifier."""
    return unwrapped(answer(SmallEncoder(9, 4), *sizes))


def words(*rows):
    """Take these sentences."""
    return torch.tensor(rows)


PADDED = [[5, 6, 7, 0, 0], [4, 8, 0, 0, 0], [3, 4, 5, 6, 7]]
EXPECTED = "head(mean over the real words of encoder.encode(tokens))"
task.require(
    "the head reads the mean over real words of what `encode` says",
    EXPECTED,
    [Case("3 sentences with padding, 2 classes", (words(*PADDED), 9, 6, 2), logits),
     Case("pad_id = 8, and words 0", (words([5, 0, 7, 8, 8], [4, 0, 0, 3, 2]), 9, 4, 3, 8), logits)],
    [Case("one sentence, 5 classes", (words([5, 6, 4]), 8, 3, 5), logits),
     Case("pad_id = 2", (words([5, 0, 2, 2], [1, 4, 0, 3]), 9, 5, 2, 2), logits),
     Case("float32", (words(*PADDED), 9, 6, 2, None, torch.float32), logits)],
    _CALL,
)  # fmt: skip
task.require(
    "encoder and head both learn",
    "gradients for the head and for every parameter of the encoder",
    [Case("the gradients of all parameters", (words(*PADDED), 9, 6, 2), learned)],
    [Case("the gradients of all parameters, 4 classes", (words([5, 3, 0], [4, 6, 8]), 9, 5, 4), learned)],
    _LEARNS,
)


@task.probe("the encoder that was handed over is the one that learns", "a change of the encoder changes the logits",
            _COPIED, "print `classifier.encoder is encoder`")  # fmt: skip
def one_encoder(answer):
    """The encoder becomes another one after the classifier was made."""
    encoder, tokens = SmallEncoder(9, 6, None, torch.float64), words([5, 6, 7], [4, 8, 0])
    module = built(answer, encoder, 6, 2)
    before = module(tokens)
    with torch.no_grad():
        for parameter in encoder.parameters():
            parameter.mul_(2)
    return None if not same(module(tokens), before) else "the encoder has changed, and the logits have not"


task.limits(
    "one word, a sentence without words, and wrong input",
    [
        Case("a sentence of nothing but padding", (words([5, 6, 0], [0, 0, 0]), 9, 4, 2), logits),
        Case("sentences of one word", (words([5], [7]), 9, 4, 2), logits),
        Case("no class", (0,), lambda answer, n: _refuses(answer, 4, n), right=True),
        Case("a width of 0", (0,), lambda answer, d: _refuses(answer, d, 2), right=True),
    ],
)


def _refuses(answer, *sizes):
    return refusal("", ()).observe(lambda *given: answer(SmallEncoder(9, 4), *given), *sizes)
