"""Task `MaskedLanguageModel` of exercise 14: what may move which result first, the numbers after that."""

import torch
from torch import nn
from torch.nn import functional as F

from course_checks.cases import Case, Draw, refusal, refuses
from course_checks.masked_language_model.shared import UNIT
from course_checks.modules import built, parameter_gradients, require_parameters, shapes
from course_checks.outcomes import is_tensor
from course_checks.subject import unwrapped
from course_checks.task import Task
from course_checks.transformer_blocks.blocks import TorchBlock
from course_checks.words import Finding, Wrong
from transformer_course.common.tokens import PAD

task = Task("MaskedLanguageModel", UNIT, ("multi_head_attention", "transformer_encoder_layer"))
SIZES = {"d_model": 12, "num_heads": 3, "num_layers": 2, "d_ff": 20, "max_length": 9}

_PADS = "append PAD to a sentence, and see what moves"
_LAST = "change the last word of a sentence, and see which logits move"
_NAMES = "print dict(model.named_parameters()).keys(), and compare with the task"
_FOLLOW = "follow the argument from `__init__` to every layer that takes it"
_LINES = "write down what `encode` does, line by line, and compare with the task"
_LENGTH = "which number of `tokens.shape` is the length of the sentences?"
_DROP = "set dropout=1 and call the model in training mode: what is left?"
_WHAT = "what does the task say `forward` returns?"


@task.oracle
class Model(nn.Module):
    """torch's encoder, between one table of words and itself."""

    def __init__(
        self, vocab_size, d_model=128, num_heads=4, num_layers=2, d_ff=512, max_length=128, dropout=0.0, pad_id=PAD
    ):
        super().__init__()
        self.pad_id = pad_id
        self.token, self.position = nn.Embedding(vocab_size, d_model), nn.Embedding(max_length, d_model)
        self.blocks = nn.ModuleList(
            TorchBlock(d_model, num_heads, d_ff, dropout, "gelu", True) for _ in range(num_layers)
        )
        self.norm, self.drop = nn.LayerNorm(d_model), nn.Dropout(dropout)

    def encode(self, tokens):
        """Read."""
        x = self.drop(self.token(tokens) + self.position.weight[: tokens.shape[1]])
        for block in self.blocks:
            x = block(x, src_mask=(tokens != self.pad_id)[:, None, None])
        return self.norm(x)

    def forward(self, tokens):
        """Compare with every word."""
        return F.linear(self.encode(tokens), self.token.weight)


# fmt: off
_SHARED = ("all layers are one and the same block: `[block] * num_layers`",
           "make a new block in each turn of a loop or comprehension")
_PLAIN = "the blocks lie in a plain list, where nn.Module does not find their parameters", "nn.ModuleList"
_APART = ("words and positions are dropped apart, each before the sum: a number of the sum is 0 only where both are",
          "call `self.dropout` once, on the sum")
_REAL, _PAST = "padding_mask(tokens, self.pad_id)", "torch.ones(tokens.shape[1], tokens.shape[1]).tril().bool()"
_CAUSAL = "a causal mask, as in a language model: a word does not see what comes after it", _LAST
task.edit(_REAL, {
    "None": ("no mask in the blocks: words attend to padding", _PADS),
    f"~{_REAL}": ("the padding mask is inverted; True means: may be attended to", _PADS),
    _PAST: _CAUSAL,
    f"{_REAL} & {_PAST}": _CAUSAL,
    "padding_mask(tokens)": ("`pad_id` does not reach the mask: it takes token 0 for padding always", _FOLLOW),
    f"{_REAL}.mT": ("the mask hides queries, not keys: its tokens stand in the last dimension but one", _PADS),
    f"{_REAL} & ~torch.eye(tokens.shape[1]).bool()": (
        "no word sees itself", "a gap is made in the input, not in the mask")})
task.edit(" + self.position(places)", {
    "": ("the positions are not added", "exchange two words: do the logits only change places?"),
    " + self.position(tokens % self.max_length)": (
        "the table of positions is looked up by token, not by place", "torch.arange(length)"),
    " * self.position(places)": ("words and positions are multiplied, not added", _LINES),
    " + self.position((places + 1).clamp(max=self.max_length - 1))": (
        "the positions begin at 1, not at 0", "which position has the first word?"),
    " + self.position(((tokens != self.pad_id).cumsum(1) - 1).clamp(min=0))": (
        "positions count words alone, so that a word behind padding stands too early", "torch.arange(length)"),
    " + self.position(0 * places)": ("every place gets the vector of position 0", "torch.arange(length)"),
    " + self.position(places - tokens.shape[1] + self.max_length)": (
        "the last rows of the table of positions are taken, not the first", "which position has the first word?"),
    " + self.position(places.flip(0))": ("positions count from the end", "which position has the first word?")})
task.edit("self.token(tokens)", {
    "self.token(tokens) * self.token.embedding_dim**0.5": (
        "the words are multiplied by sqrt(d_model), as in chapter 10; here they are not", _LINES),
    "0 * self.token(tokens)": ("the words are not added, only the positions", _LINES)})
task.edit("self.norm = ", {"self.blocks = nn.ModuleList([*self.blocks[:1]] * num_layers)\nself.norm = ": _SHARED})
task.edit("self.blocks = nn.ModuleList(", {"self.blocks = list(": _PLAIN})
task.edit("for block in self.blocks:", {
    "start = x\nfor block in self.blocks:\n    x = start": (
        "each block reads the embeddings, not what the block before it says", _LINES),
    "for block in self.blocks[:1]:": ("only the first block is called, or the loop returns inside", _LINES),
    "for block in reversed(self.blocks):": ("the blocks are called in reverse order", _LINES),
    "x = self.norm(x)\nfor block in self.blocks:": (
        "`norm` is called twice, before the blocks and behind them", _LINES)})
task.edit(", norm_first=True", {"": (
    "`norm_first=True` is missing: the blocks normalise after each sublayer", _FOLLOW)})
task.edit(', activation="gelu"', {"": ("the blocks have ReLU, their default; here it is GELU", _FOLLOW)})
task.edit(', activation="gelu", norm_first=True', {"": (
    "the blocks have their defaults, ReLU and norms behind the sublayers; here they have neither",
    "compare the line that makes a block with the list of parts in the task")})
task.edit("x = block(x, mask)", {"block(x, mask)": (
    "the blocks are not called, or what they return is dropped", "print x before the loop and behind it")})
task.edit("torch.arange(tokens.shape[1])", {
    "torch.arange(tokens.shape[0])": ("there are as many positions as sentences, not as words", _LENGTH),
    "torch.arange(self.max_length)": ("there are always max_length positions, however long the sentences are", _LENGTH),
    "tokens": ("the table of positions is looked up by token, not by place", "torch.arange(length)")})
task.edit("EncoderBlock(d_model, num_heads, d_ff, dropout", {
    "EncoderBlock(d_model, 1, d_ff, dropout": ("`num_heads` does not reach the blocks", _FOLLOW),
    "EncoderBlock(d_model, num_heads, 4 * d_model, dropout": ("`d_ff` does not reach the blocks", _FOLLOW),
    "EncoderBlock(d_model, num_heads, d_ff, 0.0": ("`dropout` does not reach the blocks", _DROP)})
task.edit_places({"x = self.dropout": "x = start = self.dropout", "return self.norm(x)": "return self.norm(x + start)"},
                 "the embeddings are added once more behind the blocks", "each block adds already")
task.edit("return self.norm(x)", {
    "return x": ("`norm` exists, but nothing calls it", _LINES),
    "return self.dropout(self.norm(x))": (
        "dropout falls on what `norm` returns, too; only the sum of words and positions, and the blocks, have it",
        _DROP)})
task.edit_places({"for block in self.blocks:": "x = self.norm(x)\nfor block in self.blocks:",
                  "return self.norm(x)": "return x"},
                 "`norm` stands before the blocks, not behind the last one", _LINES)
task.edit_places({"x = block(x, mask)": "x = self.norm(block(x, mask))", "return self.norm(x)": "return x"},
                 "`norm` is called behind every block, not behind the last alone", _LINES)
task.edit_places({"return self.norm(x)": "return x", "self.encode(tokens) @": "self.norm(self.encode(tokens)) @"},
                 "`encode` returns what the last block says, and only `forward` normalises it",
                 "what does the task say `encode` returns?")
task.edit("self.dropout(self.token(tokens) + self.position(places))", {
    "self.dropout(self.token(tokens)) + self.dropout(self.position(places))": _APART})
_LOGITS = "self.encode(tokens) @ self.token.weight.T"
_SOFTMAX = "{} at the end; logits are wanted"
task.edit(_LOGITS, {
    f"({_LOGITS}).softmax(-1)": (_SOFTMAX.format("softmax"), _WHAT, "each row sums to 1"),
    f"({_LOGITS}).log_softmax(-1)": (_SOFTMAX.format("log_softmax"), _WHAT, "logarithms of probabilities"),
    "self.encode(tokens)": ("`forward` returns the vectors, not the logits", _WHAT),
    f"self.norm({_LOGITS.replace(' @', ') @')}": ("`norm` is called in `encode` and again in `forward`", _LINES),
    f"{_LOGITS} / self.token.embedding_dim**0.5": ("the logits are divided by sqrt(d_model)", _WHAT),
    f"{_LOGITS}.detach()": (
        "the table of the words is cut off from the graph at the output (`.data`, `.detach()`)",
        "which gradient has token.weight, for a word that stands in no sentence?"),
    f"({_LOGITS})[:, -1]": ("only the logits of the last position are returned", _WHAT),
    f"({_LOGITS}).mean(1)": ("one row of logits for each sentence, not for each word", _WHAT),
    f"({_LOGITS}).argmax(-1)": ("the words are returned, not the logits", _WHAT)})
task.edit_places({"self.dropout = ": "self.output = nn.Linear(d_model, vocab_size, bias=False)\nself.dropout = ",
                  _LOGITS: "self.output(self.encode(tokens))"},
                 "the output has a layer of its own; it should be the table of the words once more", _NAMES)
task.edit_places({"self.dropout = ": "self.bias = nn.Parameter(torch.zeros(vocab_size))\nself.dropout = ",
                  _LOGITS: f"{_LOGITS} + self.bias"}, "the output has a bias", _NAMES)
task.edit("nn.Dropout(dropout)", {
    "nn.Dropout(0.0)": ("`dropout` does not fall on the sum of words and positions", _DROP),
    "lambda x: F.dropout(x, dropout)": (
        "dropout stays on in evaluation mode", "nn.Dropout follows the mode of the model")})
task.edit("super().__init__()", {"super().__init__()\ndropout = 0.0": ("`dropout` does not reach any layer", _DROP)})
# fmt: on


def made(answer, vocab_size=11, train=False, **options):
    """Make a model with known weights."""
    model = built(answer, vocab_size, **(SIZES | options))
    unwrapped(model).train(train)
    return model


def words(seed, *lengths, pad_id=PAD):
    """Draw sentences of these lengths, with a word 0 where that is not padding."""
    tokens = Draw(seed).integers(4, 11, len(lengths), max(lengths))
    if pad_id != PAD:
        tokens[0, 0] = PAD
    return tokens.masked_fill(torch.arange(max(lengths)) >= torch.tensor(lengths)[:, None], pad_id)


def at_words(result, tokens, pad_id=PAD):
    """Keep what a result says at words, in float32: the encoding of a right answer may be that exact."""
    if not is_tensor(result) or result.dim() != 3 or result.shape[:2] != tokens.shape:
        return result
    return result.masked_fill((tokens == pad_id).unsqueeze(-1), 0.0).float()


def moves(before, after, tokens):
    """List the places of the first sentence at which a result is another one."""
    if not is_tensor(before) or before.dim() != 3 or before.shape[:2] != tokens.shape:
        shape = f"has shape {tuple(before.shape)}" if is_tensor(before) else f"is of type {type(before).__name__}"
        raise Finding(f"the result {shape} for tokens of shape {tuple(tokens.shape)}", "a row for each token",
                      "the return statement", "print the shape of what `encode` and `forward` return")  # fmt: skip
    length = tokens.shape[1]
    return ((after[0, :length] - before[0, :length]).abs().amax(-1) > 1e-6).nonzero().flatten().tolist()


@task.probe("every layer is there, with its name and size", "the parameters that the task names",
            "a layer that is missing, has another name, or is one too many", _NAMES)  # fmt: skip
def layers(answer):
    """The layers of a model with 3 blocks."""
    raw = unwrapped(made(answer, num_layers=3))
    for name in ("encode", "blocks"):
        if not hasattr(raw, name):
            return f"there is no `{name}`"
    if type(raw.blocks) in (list, tuple):
        found = f"blocks is a {type(raw.blocks).__name__}", _PLAIN
    elif len({id(block) for block in raw.blocks}) < len(raw.blocks):
        found = f"{len(raw.blocks)} blocks are one and the same", _SHARED
    else:
        require_parameters(raw, shapes(Model(11, **(SIZES | {"num_layers": 3}))))
        return None
    raise Finding(found[0], "a new block for every layer, in an nn.ModuleList", *found[1])


@task.probe("in evaluation mode nothing is dropped", "the same result from the same call",
            "dropout stays on in evaluation mode, or something else is drawn at random",
            "nn.Dropout layers follow the mode of the model")  # fmt: skip
def at_random(answer):
    """Two calls in evaluation mode, dropout=0.5."""
    model, tokens = made(answer, dropout=0.5), words("s", 4, 5)
    return "two calls give different logits" if moves(model(tokens), model(tokens), tokens) else None


@task.probe("each word sees the words on both sides", "logits that move at every place",
            "a causal mask, or blocks that are not called, or whose result is dropped", _LAST)  # fmt: skip
def both_sides(answer):
    """The first word, then the last word of a sentence of 5 is changed."""
    model, tokens = made(answer), words("s", 5, 5)
    for place in (0, 4):
        other = tokens.clone()
        other[0, place] = 3
        still = sorted(set(range(5)) - set(moves(model(tokens), model(other), tokens)))
        if still:
            return f"the word at place {place} became another one, and the logits at {still} did not move"
    return None


@task.probe("no padding is read, whatever `pad_id` is", "the same logits for the words with padding and without",
            "the mask in the blocks does not know `pad_id`, is inverted, or is not there; or the positions of words "
            "shift when the batch gets longer", "append two tokens `pad_id` to a sentence, with pad_id=3, and see what "
            "moves")  # fmt: skip
def padding(answer):
    """Two tokens of padding after the sentences."""
    for pad_id in (PAD, 3):
        model, tokens = made(answer, pad_id=pad_id), words("s", 4, 4, pad_id=pad_id)
        longer = F.pad(tokens, (0, 2), value=pad_id)
        if moves(model(tokens), model(longer), tokens):
            return f"with pad_id={pad_id}, two tokens {pad_id} after the sentences move the logits of their words"
    return None


def encoded(answer, tokens, vocab_size=11, options=None):
    """Observe what `encode` returns."""
    options = options or {}
    return at_words(made(answer, vocab_size, **options).encode(tokens), tokens, options.get("pad_id", PAD))


def said(answer, tokens, vocab_size=11, options=None, train=False):
    """Observe the logits."""
    options = options or {}
    return at_words(made(answer, vocab_size, train, **options)(tokens), tokens, options.get("pad_id", PAD))


def learned(answer, tokens, vocab_size=11, options=None):
    """Observe the gradients of all parameters."""
    return parameter_gradients(made(answer, vocab_size, **(options or {})), tokens)


def left_out(answer, tokens):
    """Observe the logits of a model for which nothing but the vocabulary was said, in training mode."""
    model = built(answer, 11)
    unwrapped(model).train()
    return {"sizes": shapes(model), "logits": model(tokens)}


left_out.words = Wrong("a default of the constructor is not that of the task", "another model is made",
                       "compare the first lines of `__init__` with those of the first version")  # fmt: skip
LONGEST = {"max_length": 5}
task.require("`encode` returns a vector for each word", "words plus positions, through all blocks in turn, then `norm`",
    [Case("encode: 2 sentences, one with padding", (words("one", 5, 3),), encoded),
     Case("encode: padding in the middle", (words("in", 5, 5).index_fill(1, torch.tensor([2]), PAD),), encoded),
     Case("encode: no block at all", (words("one", 4, 4), 11, {"num_layers": 0}), encoded)],
    [Case("encode: one sentence, one head", (words("two", 6), 13, {"num_heads": 1, "d_ff": 7}), encoded),
     Case("encode: padding in front", (words("in", 4, 4).index_fill(1, torch.tensor([0]), PAD),), encoded),
     Case("encode: pad_id = 3", (words("three", 4, 2, pad_id=3), 11, {"pad_id": 3}), encoded)],
    _LINES)  # fmt: skip
task.require("`forward` compares each vector with each word",
    "the dot product of each vector of `encode` with each row of the table of words",
    [Case("2 sentences, one with padding", (words("one", 5, 3),), said),
     Case("pad_id = 3, and a word 0", (words("three", 5, 3, pad_id=3), 11, {"pad_id": 3}), said)],
    [Case("3 blocks, sentences as long as max_length", (words("four", 5, 5), 12, LONGEST | {"num_layers": 3}), said),
     Case("as many of everything", (words("five", 4, 4, 4, 4), 11, {"d_model": 4, "num_heads": 4, "d_ff": 4}), said)],
    _LINES)  # fmt: skip
task.require("sizes that are left out are those of the task", "the defaults of the first version of the cell",
    [Case("nothing but vocab_size is given", (words("one", 3),), left_out)])  # fmt: skip
task.require("dropout falls on the sum of words and positions, and in the blocks, in training alone",
    "with dropout = 1 nothing but the bias of the last norm is left; in evaluation mode nothing is dropped",
    [Case("dropout = 1, training mode", (words("one", 4, 4), 11, {"dropout": 1.0}, True), said),
     Case("dropout = 0.5, evaluation mode", (words("one", 5, 3), 11, {"dropout": 0.5}), said)],
    [Case("dropout = 1, training mode, 3 blocks", (words("two", 3, 3), 11, {"dropout": 1.0, "num_layers": 3}, True),
          said)],
    _DROP)  # fmt: skip


@task.probe("dropout falls on the sum of words and positions, not on each",
            "each number of the sum is dropped as one, in training", *_APART)  # fmt: skip
def on_the_sum(answer):
    """dropout=0.5, training mode, no block at all."""
    model = made(answer, d_model=8, num_heads=2, num_layers=0, dropout=0.5, train=True)
    with torch.no_grad():
        unwrapped(model).norm.weight.fill_(1.0)
        unwrapped(model).norm.bias.fill_(0.0)
    normed = model.encode(Draw("dropped").integers(4, 11, 40, 9))
    if not is_tensor(normed) or normed.shape != (40, 9, 8):
        return None
    alike = torch.isclose(normed[..., None], normed[..., None, :], atol=1e-6).sum(-1).amax(-1)  # dropped ones are equal
    few = alike.double().mean() / 8 < 0.4  # of the sum about a half; of the two parts apart about a quarter
    return "about a quarter of the sum is 0, where a half should be" if few else None


task.require("gradients reach every parameter, the table of words from both of its uses",
    "the derivative of the formula",
    [Case("the gradients of the parameters", (words("one", 5, 5),), learned)],
    [Case("the gradients, one block", (words("two", 4, 4), 11, {"num_layers": 1}), learned)])  # fmt: skip


def _too_long(answer, tokens):
    return refuses("max_length")(made(answer), tokens)


task.limits("one word, and wrong input",
    [Case("sentences of one word", (words("one", 1, 1),), said),
     Case("a sentence longer than max_length", (words("long", 10),), _too_long, right=True),
     refusal("-1 blocks", (11, 12, 3, -1, 20), "num_layers"),
     refusal("three heads for eight columns", (11, 8, 3, 1, 20), "num_heads")])  # fmt: skip
