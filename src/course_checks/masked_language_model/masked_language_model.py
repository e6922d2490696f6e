"""Task `MaskedLanguageModel` of exercise 14: what may move which result first, the numbers after that."""

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from course_checks.cases import Case, Draw, refusal, refuses
from course_checks.masked_language_model.shared import UNIT
from course_checks.modules import built, parameter_gradients, require_parameters
from course_checks.outcomes import is_tensor
from course_checks.subject import unwrapped
from course_checks.task import Task
from course_checks.transformer_blocks.encoder_block import Right as TorchBlock
from course_checks.transformer_blocks.encoder_block import make as make_block
from course_checks.words import Finding, Wrong
from transformer_course.common.tokens import PAD

task = Task("MaskedLanguageModel", UNIT, ("multi_head_attention", "transformer_encoder_layer"))
SIZES = {"d_model": 12, "num_heads": 3, "num_layers": 2, "d_ff": 20, "max_length": 9}

_PADS = "append PAD to a sentence, and see what moves"
_LAST = "change the last word of a sentence, and see which logits move"
_NAMES = "print dict(model.named_parameters()).keys(), and compare with the task"
_FOLLOW = "follow the argument from `__init__` to every layer that takes it"
_LINES = "write down what `encode` does, line by line, and compare with the task"
_NEW = "make a new block in each turn of a loop or comprehension"
_DROP = "set dropout=1 and call the model in training mode: what is left?"
_WHAT = "what does the task say `forward` returns?"


class Model(nn.Module):
    """The model, with the choices in ``wrong``; without any, it is right."""

    wrong: dict[str, Any] = {}
    kind = make_block()

    def __init__(
        self, vocab_size, d_model=128, num_heads=4, num_layers=2, d_ff=512, max_length=128, dropout=0.0, pad_id=PAD
    ):
        super().__init__()
        self.pad_id = PAD if self.chose("mask", "pad 0") else pad_id
        self.token = nn.Embedding(vocab_size, d_model)
        self.position = nn.Embedding(max_length, d_model)
        inside = 0.0 if self.chose("dropout", "embedding alone", "nowhere") else dropout
        self.dropout = nn.Dropout(0.0 if self.chose("dropout", "blocks alone", "nowhere") else dropout)
        heads, width = 1 if self.chose("blocks", "one head") else num_heads, d_ff
        bend = {"relu": "relu"}.get(self.wrong.get("blocks"), "gelu")
        first = not self.chose("blocks", "norm last")
        made = [self.kind(d_model, heads, width, inside, bend, first) for _ in range(num_layers)]
        made = made[:1] * num_layers if self.chose("blocks", "one object") else made
        self.blocks = made if self.chose("blocks", "plain list") else nn.ModuleList(made)
        self.norm = nn.LayerNorm(d_model)
        if self.chose("output", "own layer"):
            self.output = nn.Linear(d_model, vocab_size, bias=False)
        if self.chose("output", "bias"):
            self.bias = nn.Parameter(torch.zeros(vocab_size))

    def chose(self, dimension: str, *choices: str) -> bool:
        """Say whether one of these choices was made."""
        return self.wrong.get(dimension) in choices

    def _embed(self, tokens: Tensor) -> Tensor:
        words, length = self.token(tokens), tokens.shape[1]
        places = self.position.weight[:length]
        x = {
            "none": words, "reversed": words + places.flip(0), "scaled": words * words.shape[-1] ** 0.5 + places,
            "words": words + self.position.weight[(tokens % len(self.position.weight))],
            "times": words * places, "alone": places.expand(words.shape),
            "first": words + self.position.weight[:1],
        }.get(self.wrong.get("embedded"), words + places)  # fmt: skip
        x = F.dropout(x, 0.5) if self.chose("dropout", "always") else self.dropout(x)
        return self.norm(x) if self.chose("norm", "in front", "both") else x

    def encode(self, tokens: Tensor) -> Tensor:
        """Read."""
        real, length = (tokens != self.pad_id)[:, None, None], tokens.shape[1]
        seen = torch.ones(length, length, dtype=torch.bool).tril()
        mask = {
            "none": None, "inverted": ~real, "causal": seen, "causal too": seen & real,
            "queries": real.transpose(-1, -2), "not itself": real & ~torch.eye(length, dtype=torch.bool),
        }.get(self.wrong.get("mask"), real)  # fmt: skip
        x = start = self._embed(tokens)
        order = list(self.blocks)
        order = order[:1] if self.chose("blocks", "first alone") else order
        order = order[::-1] if self.chose("blocks", "backwards") else order
        for block in order:
            x = block(start if self.chose("blocks", "not chained") else x, mask)
        x = x + start if self.chose("blocks", "residual") else x
        x = x if self.chose("norm", "missing", "in front", "in forward") else self.norm(x)
        return self.dropout(x) if self.chose("dropout", "behind norm") else x

    def forward(self, tokens: Tensor) -> Tensor:
        """Say which word stands where."""
        hidden = self.encode(tokens)
        hidden = self.norm(hidden) if self.chose("norm", "in forward", "twice") else hidden
        if self.chose("output", "own layer"):
            return self.output(hidden)
        logits = hidden @ self.token.weight.T
        if self.chose("output", "bias"):
            return logits + self.bias + 0.1
        names = {"softmax": torch.softmax, "log_softmax": torch.log_softmax}
        if self.wrong.get("output") in names:
            return names[self.wrong["output"]](logits, -1)
        return {
            "hidden": lambda: hidden, "scaled": lambda: logits / hidden.shape[-1] ** 0.5,
            "detached": lambda: hidden @ self.token.weight.T.detach(), "last": lambda: logits[:, -1],
            "mean": lambda: logits.mean(1), "argmax": lambda: logits.argmax(-1),
        }.get(self.wrong.get("output"), lambda: logits)()  # fmt: skip


@task.oracle
class Right(Model):
    """The same parameters, run by torch's own layers."""

    kind = TorchBlock


@task.builds(
    mask={
        "none": Wrong("no mask in the blocks: words attend to padding", "", _PADS),
        "inverted": Wrong("the padding mask is inverted; True means: may be attended to", "", _PADS),
        "causal": Wrong("a causal mask, as in a language model: a word does not see what comes after it", "", _LAST),
        "causal too": Wrong("a causal mask beside that of the padding: a word does not see what comes after it", "",
                            _LAST),
        "pad 0": Wrong("`pad_id` does not reach the mask: it takes token 0 for padding always", "", _FOLLOW),
        "queries": Wrong("the mask hides queries, not keys: its tokens stand in the last dimension but one", "", _PADS),
        "not itself": Wrong("no word sees itself", "", "a gap is made in the input, not in the mask"),
    },
    embedded={
        "none": Wrong("the positions are not added", "", "exchange two words: do the logits only change places?"),
        "scaled": Wrong("the words are multiplied by sqrt(d_model), as in chapter 10; here they are not", "", _LINES),
        "words": Wrong("the table of positions is looked up by token, not by place", "", "torch.arange(length)"),
        "times": Wrong("words and positions are multiplied, not added", "", _LINES),
        "alone": Wrong("the words are not added, only the positions", "", _LINES),
        "first": Wrong("every place gets the vector of position 0", "", "torch.arange(length)"),
        "reversed": Wrong("positions count from the end", "", "which position has the first word?"),
    },
    blocks={
        "one object": Wrong("all layers are one and the same block: `[block] * num_layers`", "", _NEW),
        "plain list": Wrong("the blocks lie in a plain list, where nn.Module does not find their parameters", "",
                            "nn.ModuleList"),
        "not chained": Wrong("each block reads the embeddings, not what the block before it says", "", _LINES),
        "first alone": Wrong("only the first block is called, or the loop returns inside", "", _LINES),
        "backwards": Wrong("the blocks are called in reverse order", "", _LINES),
        "norm last": Wrong("`norm_first=True` is missing: the blocks normalise after each sublayer", "", _FOLLOW),
        "relu": Wrong("the blocks have ReLU, their default; here it is GELU", "", _FOLLOW),
        "one head": Wrong("`num_heads` does not reach the blocks", "", _FOLLOW),
        "residual": Wrong("the embeddings are added once more behind the blocks", "", "each block adds already"),
    },
    norm={
        "missing": Wrong("`norm` exists, but nothing calls it", "", _LINES),
        "in front": Wrong("`norm` stands before the blocks, not behind the last one", "", _LINES),
        "both": Wrong("`norm` is called twice, before the blocks and behind them", "", _LINES),
        "in forward": Wrong("`encode` returns what the last block says, and only `forward` normalises it", "",
                            "what does the task say `encode` returns?"),
        "twice": Wrong("`norm` is called in `encode` and again in `forward`", "", _LINES),
    },
    output={
        "own layer": Wrong("the output has a layer of its own; it should be the table of the words once more", "",
                           _NAMES),
        "bias": Wrong("the output has a bias", "", _NAMES),
        "softmax": Wrong("softmax at the end; logits are wanted", "each row sums to 1", _WHAT),
        "log_softmax": Wrong("log_softmax at the end; logits are wanted", "logarithms of probabilities", _WHAT),
        "hidden": Wrong("`forward` returns the vectors, not the logits", "", _WHAT),
        "scaled": Wrong("the logits are divided by sqrt(d_model)", "", _WHAT),
        "detached": Wrong("the table of the words is cut off from the graph at the output (`.data`, `.detach()`)", "",
                          "which gradient has token.weight, for a word that stands in no sentence?"),
        "last": Wrong("only the logits of the last position are returned", "", _WHAT),
        "mean": Wrong("one row of logits for each sentence, not for each word", "", _WHAT),
        "argmax": Wrong("the words are returned, not the logits", "", _WHAT),
    },
    dropout={
        "nowhere": Wrong("`dropout` does not reach any layer", "", _DROP),
        "blocks alone": Wrong("`dropout` does not fall on the sum of words and positions", "", _DROP),
        "embedding alone": Wrong("`dropout` does not reach the blocks", "", _DROP),
        "behind norm": Wrong("dropout falls on what `norm` returns, too; only the sum of words and positions, and the "
                             "blocks, have it", "", _DROP),
        "always": Wrong("dropout stays on in evaluation mode", "", "nn.Dropout follows the mode of the model"),
    },
)  # fmt: skip
def make(**chosen: str) -> type[Model]:
    """Make the class with these mistakes."""
    return type("MaskedLanguageModel", (Model,), {"wrong": chosen})


def made(answer: Any, vocab_size: int = 11, train: bool = False, **options: Any) -> Any:
    """Make a model with known weights."""
    model = built(answer, vocab_size, **(SIZES | options))
    unwrapped(model).train(train)
    return model


def shapes(vocab_size: int, d_model: int, num_heads: int, num_layers: int, d_ff: int, max_length: int) -> dict:
    """List the parameters of the task."""
    found = {"token.weight": (vocab_size, d_model), "position.weight": (max_length, d_model)}
    block = {name: tuple(p.shape) for name, p in make_block()(d_model, num_heads, d_ff).named_parameters()}
    found |= {f"blocks.{i}.{name}": shape for i in range(num_layers) for name, shape in block.items()}
    return found | {"norm.weight": (d_model,), "norm.bias": (d_model,)}


def words(seed: str, *lengths: int, pad_id: int = PAD) -> Tensor:
    """Draw sentences of these lengths, with a word 0 where that is not padding."""
    tokens = Draw(seed).integers(4, 11, len(lengths), max(lengths))
    if pad_id != PAD:
        tokens[0, 0] = PAD
    return tokens.masked_fill(torch.arange(max(lengths)) >= torch.tensor(lengths)[:, None], pad_id)


def at_words(result: Any, tokens: Tensor, pad_id: int = PAD) -> Any:
    """Keep what a result says at words, in float32: the encoding of a right answer may be that exact."""
    if not is_tensor(result) or result.dim() != 3 or result.shape[:2] != tokens.shape:
        return result
    return result.masked_fill((tokens == pad_id).unsqueeze(-1), 0.0).float()


def moves(before: Any, after: Any, tokens: Tensor) -> list[int]:
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
    known = {}
    if type(raw.blocks) in (list, tuple):
        known = {"seen": f"blocks is a {type(raw.blocks).__name__}", "choice": "plain list"}
    elif len({id(block) for block in raw.blocks}) < len(raw.blocks):
        known = {"seen": f"{len(raw.blocks)} blocks are one and the same", "choice": "one object"}
    if known:
        found = next(each for each in task.wrong if each.chosen == {"blocks": known["choice"]}).words[0]
        raise Finding(known["seen"], "a new block for every layer, in an nn.ModuleList", found.cause, found.hint)
    require_parameters(raw, shapes(11, **(SIZES | {"num_layers": 3})))
    return None


@task.probe("in evaluation mode nothing is dropped", "the same result from the same call",
            "dropout stays on in evaluation mode, or something else is drawn at random",
            "nn.Dropout layers follow the mode of the model")  # fmt: skip
def at_random(answer):
    """Two calls in evaluation mode, dropout=0.5."""
    model, tokens = made(answer, dropout=0.5), words("s", 4, 5)
    return "two calls give different logits" if moves(model(tokens), model(tokens), tokens) else None


@task.probe("each word sees the words on both sides", "logits that move at every place",
            "a causal mask, or blocks that are not called", _LAST)  # fmt: skip
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
            "no padding mask in the blocks, or one that is inverted or does not know `pad_id`", _PADS)  # fmt: skip
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
    real = (tokens != PAD).double()[..., None]
    model = made(answer, vocab_size, **(options or {}))

    class Words(nn.Module):
        def __init__(self):
            super().__init__()
            self.model = unwrapped(model)

        def forward(self, tokens):
            return self.model(tokens) * real

    return {name: grad.float() for name, grad in parameter_gradients(Words(), tokens).items()}


def left_out(answer, tokens):
    """Observe the sizes of a model for which nothing but the vocabulary was said."""
    model = unwrapped(answer(11))
    count = sum(parameter.numel() for parameter in model.parameters())
    return f"{tuple(model.token.weight.shape)}, {tuple(model.position.weight.shape)}, {count} parameters"


left_out.words = Wrong("a default of the constructor is not that of the task", "another model is made",
                       "compare the first lines of `__init__` with those of the first version")  # fmt: skip

LONGEST = {"max_length": 5}
DEFAULTS = f"(11, 128), (128, 128), {11 * 128 + 128 * 128 + 2 * 198_272 + 256} parameters"
task.require(
    "`encode` returns a vector for each word",
    "words plus positions, through all blocks in turn, then `norm`",
    [Case("encode: 2 sentences, one with padding", (words("one", 5, 3),), encoded),
     Case("encode: no block at all", (words("one", 4, 4), 11, {"num_layers": 0}), encoded)],
    [Case("encode: one sentence, one head", (words("two", 6), 13, {"num_heads": 1, "d_ff": 7}), encoded),
     Case("encode: pad_id = 3", (words("three", 4, 2, pad_id=3), 11, {"pad_id": 3}), encoded)],
    _LINES,
)  # fmt: skip
task.require(
    "`forward` compares each vector with each word",
    "the dot product of each vector of `encode` with each row of the table of words",
    [Case("2 sentences, one with padding", (words("one", 5, 3),), said),
     Case("pad_id = 3, and a word 0", (words("three", 5, 3, pad_id=3), 11, {"pad_id": 3}), said)],
    [Case("3 blocks, sentences as long as max_length", (words("four", 5, 5), 12, LONGEST | {"num_layers": 3}), said),
     Case("as many of everything", (words("five", 4, 4, 4, 4), 11, {"d_model": 4, "num_heads": 4, "d_ff": 4}), said)],
    _LINES,
)  # fmt: skip
task.require(
    "sizes that are left out are those of the task",
    "the defaults of the first version of the cell",
    # A block has 4 (128 * 128 + 128) in attention, 2 * 128 * 512 + 512 + 128 in the network, and 2 * 256 in its norms.
    [Case("nothing but vocab_size is given", (words("one", 3),), left_out, right=DEFAULTS)],
)
task.require(
    "dropout falls on the sum of words and positions, and in the blocks, in training alone",
    "with dropout = 1 nothing but the bias of the last norm is left; in evaluation mode nothing is dropped",
    [Case("dropout = 1, training mode", (words("one", 4, 4), 11, {"dropout": 1.0}, True), said),
     Case("dropout = 0.5, evaluation mode", (words("one", 5, 3), 11, {"dropout": 0.5}), said)],
    [Case("dropout = 1, training mode, 3 blocks", (words("two", 3, 3), 11, {"dropout": 1.0, "num_layers": 3}, True),
          said)],
    _DROP,
)  # fmt: skip
task.require(
    "gradients reach every parameter, the table of words from both of its uses",
    "the derivative of the formula",
    [Case("the gradients of the parameters", (words("one", 5, 3),), learned)],
    [Case("the gradients of the parameters, one block", (words("two", 4, 2), 11, {"num_layers": 1}), learned)],
)


def _too_long(answer, tokens):
    return refuses("max_length")(made(answer), tokens)


task.limits(
    "one word, and wrong input",
    [
        Case("sentences of one word", (words("one", 1, 1),), said),
        Case("a sentence longer than max_length", (words("long", 10),), _too_long, right=True),
        refusal("-1 blocks", (11, 12, 3, -1, 20), "num_layers"),
        refusal("three heads for eight columns", (11, 8, 3, 1, 20), "num_heads"),
    ],
)
