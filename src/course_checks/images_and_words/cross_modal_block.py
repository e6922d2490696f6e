"""Task `CrossModalBlock` of exercise 16."""

import torch
from torch import nn

from course_checks.cases import Case, gradients, refusal, refuses
from course_checks.images_and_words.models import Crossing, RightCrossing
from course_checks.images_and_words.shared import READY_MADE, UNIT
from course_checks.modules import built, parameter_gradients, require_parameters, shapes
from course_checks.outcomes import is_tensor
from course_checks.subject import unwrapped
from course_checks.task import Task
from course_checks.words import Wrong

task = Task("CrossModalBlock", UNIT, READY_MADE)

_LINES = "write the three steps as three lines, and compare each with the task"
_READS = "for each attention: whose vectors ask, whose vectors are keys and values?"
_MASK = "put False on the last word of a sentence, change this word, and see what moves"
_NORMS = "which norm stands in front of which sublayer, and what goes past it?"
_WHO = {"words": "the words' own attention", "patches": "the attention to the patches",
        "feed-forward": "the feed-forward network"}  # fmt: skip


@task.builds(
    order={
        "patches first": Wrong("the words look at the patches before they look at one another", "", _LINES),
        "beside": Wrong("all sublayers read the input of the block", "", _LINES),
    },
    attention={
        "exchanged": Wrong("self_attention and cross_attention change places", "", _READS),
        "one": Wrong("self_attention is used for the patches too", "", _READS),
    },
    reads={
        "patches ask": Wrong("the patches are the queries and the words the keys", "", _READS),
        "query alone": Wrong("in the words' own attention only the query is normalised, keys and values are not", "",
                             "what do the words look at: x, or norm_1 of x?"),
        "words again": Wrong("cross_attention gets the words as keys and values", "", _READS),
        "both": Wrong("cross_attention gets words and patches as keys and values", "", _READS),
        "normalised patches": Wrong("the patches are normalised by norm_2 too", "", _NORMS),
    },
    mask={
        "unused": Wrong("text_mask is not used", "", _MASK),
        "inverted": Wrong("text_mask is inverted; True means: may be attended to", "", _MASK),
        "causal": Wrong("a causal mask hides later words", "", "may a word of a question look ahead?"),
    },
    norms={
        "post": Wrong("each norm comes after the sum, not before the sublayer", "", _NORMS),
        "exchanged": Wrong("norm_1 and norm_2 change places", "", _NORMS),
        "one": Wrong("norm_1 stands in front of all three sublayers; norm_2 and norm_3 are never called", "", _NORMS),
        "one for two": Wrong("norm_1 stands in front of the attention to the patches too; norm_2 is never called", "",
                             _NORMS),
        "one more": Wrong("a norm stands behind the last sum too", "", _NORMS),
        **{f"none before {name}": Wrong(f"{who} reads x without a norm", "", _NORMS) for name, who in _WHO.items()},
    },
    missing={name: Wrong(f"{who} is missing", "", _LINES) for name, who in _WHO.items()},
    residual={
        **{f"without {name}": Wrong(f"x is not added to what {who} says", "", _LINES) for name, who in _WHO.items()},
        **{f"normed before {name}": Wrong(f"not x, but the normalised x is added to what {who} says", "", _NORMS)
           for name, who in _WHO.items()},
        "from the start": Wrong("the input of the block is added to what the attention to the patches says, not x: the "
                                "words' own attention is lost on this path", "", "which x stands in the second line?"),
    },
    dropped={
        **{f"not {name}": Wrong(f"dropout does not fall on what {who} says", "the words do not come out as they went "
                                "in", "which of the three lines adds something that was not dropped?")
           for name, who in _WHO.items()},
        "nothing": Wrong("dropout falls on nothing that is added to x: it is made, and never called", "",
                         "which of the three lines adds something that was not dropped?"),
        "sum": Wrong("dropout falls on the sum, x with it, and not on what a sublayer says alone", "",
                     "with dropout=1, what should be left of x?"),
    },
    made={
        "one head": Wrong("num_heads is not handed on to MultiHeadAttention", "", "compare with the task"),
        "dropout inside": Wrong("`dropout` is not handed on to FeedForward, which drops between its two layers", "",
                                "compare the arguments of FeedForward with those in the task"),
        "no dropout": Wrong("dropout does not reach what the sublayers add", "", "where does `self.dropout` stand?"),
    },
)  # fmt: skip
def cross_modal_block(**chosen):
    """Make the class with these mistakes."""
    return type("CrossModalBlock", (Crossing,), {"wrong": chosen})


task.oracle(RightCrossing)


def made(answer, dropout=0.0, train=False, heads=3):
    """Make a block with known weights."""
    block = built(answer, 12, heads, 17, dropout)
    unwrapped(block).train(train)
    return block


@task.probe("every layer is there, with its size", "the layers that the task names, each in its size",
            "a layer that is missing, has another name, or is one too many",
            "print the block, and compare with the names in the task")  # fmt: skip
def layers(answer):
    """The layers of a block."""
    require_parameters(made(answer), shapes(RightCrossing(12, 3, 17)))


@task.probe("dropout reaches the inside of the network too", "other numbers dropped for each word",
            "`dropout` is not handed on to FeedForward, which drops between its two layers",
            "compare the arguments of FeedForward with those in the task")  # fmt: skip
def inside_the_network(answer):
    """dropout=0.5 in training, where the network says the same of every word."""
    block, zeros = made(answer, 0.5, train=True), torch.zeros(4, 30, 12, dtype=torch.float64)
    with torch.no_grad():
        for name, parameter in unwrapped(block).named_parameters():
            if "attention" in name or name.startswith("feed_forward.linear_1"):
                parameter.fill_(float(name == "feed_forward.linear_1.bias"))  # silent attentions; hidden numbers of 1
    said = block(zeros, zeros)
    if is_tensor(said) and said.shape == zeros.shape and len(said[..., 0].unique().tolist()) <= 2:
        return "every word gets the same numbers or zeros: nothing is dropped between the network's two layers"
    return None


def drawn(batch, m, n, masked=False, **options):
    """Draw words, patches, and a mask for the words."""

    def make(draw):
        mask = draw.mask(batch, 1, 1, m) if masked else None
        return draw(batch, m, 12, dtype=torch.float64), draw(batch, n, 12, dtype=torch.float64), mask, options

    return make


def said(answer, text, image, mask, options):
    """Observe the words."""
    block = made(answer, **options)
    return block(text, image) if mask is None else block(text, image, mask)


def of_inputs(answer, text, image, mask, options):
    """Observe the gradients of words and patches."""
    return gradients()(made(answer, **options), text, image)


def of_parameters(answer, text, image, mask, options):
    """Observe the gradients of the parameters."""
    return parameter_gradients(made(answer, **options), text, image, mask)


task.require(
    "words attend to words, then to patches, then the network",
    "three sublayers, each with its norm in front of it, and each added to x",
    [Case("2 sentences of 4 words, 6 patches", drawn(2, 4, 6), said),
     Case("as many words as patches", drawn(3, 5, 5), said)],
    [Case("one head", drawn(2, 3, 4, heads=1), said), Case("more words than patches", drawn(2, 6, 3), said)],
)  # fmt: skip
task.require(
    "text_mask hides words from words, and no patch",
    "the same sum of three; the words' own attention sees what the mask allows",
    [Case("a mask for each sentence", drawn(2, 4, 6, masked=True), said)],
    [Case("another mask, as many words as patches", drawn(3, 5, 5, masked=True), said)],
)
task.require(
    "dropout falls on what each sublayer adds, in training alone",
    "with dropout=1 the words come out as they went in; in evaluation mode nothing is dropped",
    [Case("dropout=1, training mode", drawn(2, 4, 6, dropout=1.0, train=True), said),
     Case("dropout=0.5, evaluation mode", drawn(2, 4, 6, dropout=0.5), said)],
)  # fmt: skip
task.require(
    "gradients reach words, patches and every parameter",
    "the derivative of the formula",
    [Case("the gradients of the inputs", drawn(2, 4, 6), of_inputs),
     Case("the gradients of the parameters", drawn(2, 3, 5, masked=True), of_parameters)],
    [Case("the gradients of the inputs at other sizes", drawn(3, 2, 4), of_inputs)],
)  # fmt: skip


def default(answer):
    """Observe the probability of dropout where it is left out."""
    raw = unwrapped(answer(12, 3, 17))
    return sorted({module.p for module in raw.modules() if isinstance(module, nn.Dropout)}) or [0.0]


default.words = Wrong("dropout has another default than the task's", "", "compare the first lines of `__init__`")


def _refusing(situation, *sizes):
    def observe(answer):
        return refuses()(made(answer), *(torch.zeros(size).double() for size in sizes))

    return Case(situation, (), observe, right=True)


task.limits(
    "one word, one patch, what is left out, and wrong input",
    [
        Case("one word", drawn(2, 1, 3), said),
        Case("one patch", drawn(2, 3, 1), said),
        Case("dropout that is left out", (), default),
        _refusing("pictures for another number of sentences", (2, 3, 12), (1, 4, 12)),
        _refusing("patches of another width", (2, 3, 12), (2, 4, 8)),
        refusal("heads that do not divide d_model", (12, 5, 17), "num_heads"),
    ],
)
