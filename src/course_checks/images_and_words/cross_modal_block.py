"""Task `CrossModalBlock` of exercise 16."""

import torch
from torch import nn

from course_checks.cases import Case, gradients, refusal, refuses
from course_checks.images_and_words.shared import READY_MADE, UNIT
from course_checks.modules import built, parameter_gradients, require_parameters, shapes
from course_checks.outcomes import is_tensor
from course_checks.subject import unwrapped
from course_checks.task import Task
from course_checks.transformer_blocks.decoder_block import Right as TorchDecoderBlock
from course_checks.words import Wrong

task = Task("CrossModalBlock", UNIT, READY_MADE)

_LINES = "write the three steps as three lines, and compare each with the task"
_READS = "for each attention: whose vectors ask, whose vectors are keys and values?"
_MASK = "put False on the last word of a sentence, change this word, and see what moves"
_NORMS = "which norm stands in front of which sublayer, and what goes past it?"
_WHO = {"words": "the words' own attention", "patches": "the attention to the patches",
        "feed-forward": "the feed-forward network"}  # fmt: skip


@task.oracle
class Right(TorchDecoderBlock):
    """torch's layer of a decoder, which has no causal mask of its own."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.0):
        super().__init__(d_model, num_heads, d_ff, dropout, norm_first=True)


# fmt: off
_SAID = {"words": "self.self_attention(read, read, read, text_mask)[0]",
         "patches": "self.cross_attention(self.norm_2(text), image, image)[0]",
         "feed-forward": "self.feed_forward(self.norm_3(text))"}
_BEGIN = {"words": "text = ", "patches": "text = ", "feed-forward": "return "}
_LINE = {name: f"{_BEGIN[name]}text + self.dropout({said})" for name, said in _SAID.items()}
_READ = {"words": "self.norm_1(text)", "patches": "self.norm_2(text)", "feed-forward": "self.norm_3(text)"}
_DROPPED = "which of the three lines adds something that was not dropped?"
for _name, _who in _WHO.items():
    _begin, _said = _BEGIN[_name], f"self.dropout({_SAID[_name]})"
    task.edit(_LINE[_name], {
        "return text" if _name == "feed-forward" else "": (f"{_who} is missing", _LINES),
        f"{_begin}{_said}": (f"x is not added to what {_who} says", _LINES),
        f"{_begin}{_READ[_name]} + {_said}": (f"not x, but the normalised x is added to what {_who} says", _NORMS),
        f"{_begin}text + {_SAID[_name]}": (
            f"dropout does not fall on what {_who} says", _DROPPED, "the words do not come out as they went in")})
    task.edit(_READ[_name], {"text": (f"{_who} reads x without a norm", _NORMS)})
task.edit_places({line: line.replace("self.dropout", "") for line in _LINE.values()},
                 "dropout falls on nothing that is added to x: it is made, and never called; or it is made without "
                 "`dropout`", _DROPPED)
task.edit_places({line: line.replace("text + self.dropout(", "self.dropout(text + ") for line in _LINE.values()},
                 "dropout falls on the sum, x with it, and not on what a sublayer says alone",
                 "with dropout=1, what should be left of x?")
_AT_FIRST = {f"read = {_READ['words']}": f"text = {_READ['words']}",
             _LINE["words"]: _LINE["words"].replace("read", "text")}
task.edit_places(_AT_FIRST | {_LINE[name]: f"text = {_READ[name]}\n{_LINE[name].replace(_READ[name], 'text')}"
                              for name in ("patches", "feed-forward")},
                 "not x, but the normalised x is added to what each of the three says, as after `x = norm(x)`", _NORMS)
task.edit_places({_READ["words"]: f"self.dropout({_READ['words']})"} | {
    line: line.replace("text + self.dropout(", "text + (").replace(_READ[name], f"self.dropout({_READ[name]})")
    for name, line in _LINE.items()}, "dropout falls on what each of the three reads, not on what it says", _DROPPED)
task.edit_places({_LINE["words"]: _LINE["patches"],
                  _LINE["patches"]: _LINE["words"].replace("read, read, read", "*[self.norm_1(text)] * 3")},
                 "the words look at the patches before they look at one another", _LINES)
_START = {"read = ": "start = text\nread = "}
_BEFORE = "{} reads an x from before {}"
for _changes, _cause in (
    ({_READ["patches"]: "self.norm_2(start)", _READ["feed-forward"]: "self.norm_3(start)"},
     "all sublayers read the input of the block"),
    ({_READ["patches"]: "self.norm_2(start)"}, _BEFORE.format(_WHO["patches"], _WHO["words"])),
    ({_READ["feed-forward"]: "self.norm_3(start)"}, _BEFORE.format(_WHO["feed-forward"], "both attentions")),
    ({_LINE["patches"]: f"start = text\n{_LINE['patches']}", _READ["feed-forward"]: "self.norm_3(start)"},
     _BEFORE.format(_WHO["feed-forward"], _WHO["patches"])),
):
    task.edit_places(_START | _changes, _cause, "which x stands in which line? Each reads what the one before made")
for _name, _lost in (("patches", "the words' own attention is"), ("feed-forward", "both attentions are")):
    task.edit_places(_START | {_LINE[_name]: _LINE[_name].replace("text + ", "start + ")},
                     f"the input of the block is added to what {_WHO[_name]} says, not x: {_lost} lost on this path",
                     "which x stands in which line?")
task.edit_places({"self.self_attention(read": "self.cross_attention(read",
                  "self.cross_attention(self": "self.self_attention(self"},
                 "self_attention and cross_attention change places", _READS)
task.edit("self.cross_attention(", {"self.self_attention(": ("self_attention is used for the patches too", _READS)})
task.edit("self.self_attention(", {"self.cross_attention(": ("cross_attention is used for the words too", _READS)})
task.edit("read, read, read", {"read, text, text": (
    "in the words' own attention only the query is normalised, keys and values are not",
    "what do the words look at: x, or norm_1 of x?")})
_AGAIN = "cross_attention gets the words as keys and values", _READS
task.edit("(self.norm_2(text), image, image)", {
    "(image, *[self.norm_2(text)] * 2)": ("the patches are the queries and the words the keys", _READS),
    "(*[self.norm_2(text)] * 3)": _AGAIN,
    "(*[self.norm_2(text)] * 3, text_mask)": _AGAIN,
    "(self.norm_2(text), *[torch.cat([self.norm_2(text), image], dim=1)] * 2)": (
        "cross_attention gets words and patches as keys and values", _READS),
    "(self.norm_2(text), self.norm_2(image), self.norm_2(image))": ("the patches are normalised by norm_2 too", _NORMS),
    "(self.norm_2(text), image, image, text_mask)": (
        "text_mask is handed to the attention to the patches too; it says which words may be seen", _MASK)})
_PAST = "torch.ones(text.shape[1], text.shape[1]).tril().bool()"
_CAUSAL = "a causal mask hides later words", "may a word of a question look ahead?"
task.edit_places({", text_mask)[0]": ")[0]",
                  "(self.norm_2(text), image, image": "(self.norm_2(text), image, image, text_mask"},
                 "text_mask is handed to the attention to the patches; it says which words may be seen", _MASK)
task.edit(", text_mask)[0]", {
    ")[0]": ("text_mask is not used", _MASK),
    ", None if text_mask is None else ~text_mask)[0]": (
        "text_mask is inverted; True means: may be attended to", _MASK),
    f", {_PAST})[0]": _CAUSAL,
    f", {_PAST} if text_mask is None else text_mask & {_PAST})[0]": _CAUSAL})
task.edit_places({f"read = {_READ['words']}": "read = text"} | {
    _LINE[name]: f"{_BEGIN[name]}self.norm_{number}(text + self.dropout({_SAID[name].replace(_READ[name], 'text')}))"
    for number, name in enumerate(_WHO, start=1)}, "each norm comes after the sum, not before the sublayer", _NORMS)
task.edit_places({_READ["words"]: _READ["patches"], _READ["patches"]: _READ["words"]},
                 "norm_1 and norm_2 change places", _NORMS)
task.edit_places({_READ[name]: _READ["words"] for name in ("patches", "feed-forward")},
                 "norm_1 stands in front of all three sublayers; norm_2 and norm_3 are never called", _NORMS)
for _name, _number in (("patches", 1), ("feed-forward", 1), ("feed-forward", 2)):
    task.edit_places({_READ[_name]: f"self.norm_{_number}(text)"},
                     f"norm_{_number} stands in front of {_WHO[_name]} too; {_READ[_name][5:11]} is never called",
                     _NORMS)
task.edit(_LINE["feed-forward"], {_LINE["feed-forward"].replace("return ", "return self.norm_3(") + ")": (
    "a norm stands behind the last sum too", _NORMS)})
task.edit_all("MultiHeadAttention(d_model, num_heads)", {"MultiHeadAttention(d_model, 1)": (
    "num_heads is not handed on to MultiHeadAttention", "compare with the task")})
_INSIDE = ("`dropout` is not handed on to FeedForward, which drops between its two layers",
           "compare the arguments of FeedForward with those in the task")
task.edit("super().__init__()", {"super().__init__()\ndropout = 0.0": (
    "`dropout` does not reach any layer", "follow the argument from `__init__` to every layer that takes it")})
task.edit("FeedForward(d_model, d_ff, dropout)", {"FeedForward(d_model, d_ff)": _INSIDE})
# fmt: on


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
    require_parameters(made(answer), shapes(Right(12, 3, 17)))


@task.probe("dropout reaches the inside of the network too", "other numbers dropped for each word", *_INSIDE)
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


def dropped(answer, *given):
    """Observe the words where all that is added to them is dropped."""
    return said(answer, *given)


dropped.words = Wrong("dropout is missing on what a sublayer says, or falls elsewhere, as on what it reads",
                      "with dropout=1 something is added to the words", _DROPPED)  # fmt: skip


def of_inputs(answer, text, image, mask, options):
    """Observe the gradients of words and patches."""
    return gradients()(made(answer, **options), text, image)


def of_parameters(answer, text, image, mask, options):
    """Observe the gradients of the parameters."""
    return parameter_gradients(made(answer, **options), text, image, mask)


task.require("words attend to words, then to patches, then the network",
    "three sublayers, each with its norm in front of it, and each added to x",
    [Case("2 sentences of 4 words, 6 patches", drawn(2, 4, 6), said),
     Case("as many words as patches", drawn(3, 5, 5), said)],
    [Case("one head", drawn(2, 3, 4, heads=1), said),
     Case("more words than patches", drawn(2, 6, 3), said)])  # fmt: skip
task.require("text_mask hides words from words, and no patch",
    "the same sum of three; the words' own attention sees what the mask allows",
    [Case("a mask for each sentence", drawn(2, 4, 6, masked=True), said)],
    [Case("another mask, as many words as patches", drawn(3, 5, 5, masked=True), said)])  # fmt: skip
task.require("dropout falls on what each sublayer adds, in training alone",
    "with dropout=1 the words come out as they went in; in evaluation mode nothing is dropped",
    [Case("dropout=1, training mode", drawn(2, 4, 6, dropout=1.0, train=True), dropped),
     Case("dropout=0.5, evaluation mode", drawn(2, 4, 6, dropout=0.5), said)])  # fmt: skip
task.require("gradients reach words, patches and every parameter", "the derivative of the formula",
    [Case("the gradients of the inputs", drawn(2, 4, 6), of_inputs),
     Case("the gradients of the parameters", drawn(2, 3, 5, masked=True), of_parameters)],
    [Case("the gradients of the inputs at other sizes", drawn(3, 2, 4), of_inputs)])  # fmt: skip


def default(answer):
    """Observe the probability of dropout where it is left out."""
    raw = unwrapped(answer(12, 3, 17))
    return sorted({module.p for module in raw.modules() if isinstance(module, nn.Dropout)}) or [0.0]


default.words = Wrong("dropout has another default than the task's", "", "compare the first lines of `__init__`")


def _refusing(situation, *sizes):
    def observe(answer):
        return refuses()(made(answer), *(torch.zeros(size).double() for size in sizes))

    return Case(situation, (), observe, right=True)


task.limits("one word, one patch, what is left out, and wrong input",
    [Case("one word", drawn(2, 1, 3), said), Case("one patch", drawn(2, 3, 1), said),
     Case("dropout that is left out", (), default),
     _refusing("pictures for another number of sentences", (2, 3, 12), (1, 4, 12)),
     _refusing("patches of another width", (2, 3, 12), (2, 4, 8)),
     refusal("heads that do not divide d_model", (12, 5, 17), "num_heads")])  # fmt: skip
