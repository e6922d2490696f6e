"""Task `Transformer` of exercise 10: what may move which result first, the numbers after that."""

from typing import Any

import torch
from torch import Tensor, nn

from course_checks.cases import Case, Draw, refusal, refuses
from course_checks.modules import built, parameter_gradients, require_parameters, shapes
from course_checks.outcomes import is_tensor
from course_checks.subject import unwrapped
from course_checks.task import Task
from course_checks.transformer.shared import READY_MADE, UNIT, Model, Right
from course_checks.words import Finding, Wrong
from transformer_course.common.tokens import BOS, PAD

task = Task("Transformer", UNIT, READY_MADE)
SIZES = {"d_model": 12, "num_heads": 3, "num_encoder_layers": 2, "num_decoder_layers": 2, "d_ff": 20, "max_length": 9}
UNEQUAL = SIZES | {"num_decoder_layers": 3}

_ROW = "print the mask for three words and read its first row; True means `may be attended to`"
_LAST = "change the last word of a target, and see which logits move"
_PADS = "append PAD to a source, and see what moves"
_LINES = "write down which tensor goes into which argument, line by line, and compare with the task"
_TABLE = "the imported TransformerEmbedding scales and adds positions: call it, not its table"
_FOLLOW = "follow the argument from `__init__` to every layer that takes it"
_NEW = "make a new block in each turn of a loop or comprehension"
_BLOCKS = "which of the two imported blocks reads a memory?"
_LOSS = "return what the output layer says: the loss applies softmax itself"
_NORMS = "print the model with norm_first=True and with norm_first=False"
_TIED = "set the attribute of one layer to the parameter of the other; which tables have a row for each target word?"

FUTURE = {
    "none": Wrong("no causal mask in the decoder: its blocks get None, or a mask that is True everywhere", "", _LAST),
    "padding": Wrong("no causal mask in the decoder: its blocks get the padding mask of the target alone", "", _LAST),
    "inverted": Wrong("the causal mask is inverted: it hides the past and shows the future", "", _ROW),
    "transposed": Wrong("the causal mask is transposed: each position sees itself and what comes later", "", _ROW),
    "one ahead": Wrong("the causal mask is one step off: each position sees the next word, its own label", "", _ROW),
    "strict": Wrong("the causal mask is one step off: a position does not see itself", "", _ROW),
}
FUTURE |= {f"{name} and padding": FUTURE[name] for name in ("inverted", "transposed", "one ahead", "strict")}
LOOKING = {
    "no mask": Wrong("the decoder's blocks get no mask for the memory (`memory_mask`)", "", _PADS),
    "inverted": Wrong("the mask for the memory is inverted; True means: may be attended to", "", _PADS),
    "causal": Wrong("the causal mask is used for the memory too: the first words see the beginning of the source only",
                    "", "the whole source is known before the first word is written"),
    "causal mask": Wrong("the causal mask is handed over as the mask for the memory", "", _LINES),
    "self mask": Wrong("the mask of the target for itself is handed over as the mask for the memory too", "", _LINES),
    "target": Wrong("the mask for the memory is made from `target`, but its keys are words of the source", "",
                    "whose words are the keys in cross-attention?"),
    "target where it fits": Wrong("the mask for the memory is made from `target` where both are equally long", "",
                                  "whose words are the keys in cross-attention?"),
    "exchanged": Wrong("the two masks of the decoder's blocks change places", "", _LINES),
}  # fmt: skip
MEMORY = {
    "embedding": Wrong("the decoder reads the embeddings of the source, not what `encode` returns", "", _LINES),
    "of each layer": Wrong("each block of the decoder reads what the same block of the encoder said, not what the "
                           "whole encoder says", "", _LINES),
    "read again": Wrong("`decode` encodes the source anew, and does not use the memory that it is given",
                        "the logits do not depend on the memory", "use the argument `memory`"),
    "detached": Wrong("the memory is cut off from the graph (`detach`, `no_grad`): the encoder never learns", "",
                      "call `.sum().backward()` on the logits, and print `.grad` of an encoder weight"),
    "kept": Wrong("the model keeps the memory of an earlier call in `self`", "", "compute all of it in each call"),
    "exchanged": Wrong("source and target change places in `forward`", "", _LINES),
}  # fmt: skip
POSITIONS = {
    side + more: Wrong(f"{where} looked up in the table of the embedding (`.token`), without {what}", "", _TABLE)
    for side, where in {"both": "all tokens are", "source": "the source's tokens are",
                        "target": "the target's tokens are"}.items()
    for more, what in {"": "scale and positions", " scaled": "positions"}.items()
}  # fmt: skip
POSITIONS["not scaled"] = Wrong("the embeddings get positions, but are not multiplied by sqrt(d_model)", "", _TABLE)
READING = {
    "no mask": Wrong("no padding mask in the encoder", "", _PADS),
    "inverted": Wrong("the padding mask of the encoder is inverted; True means: may be attended to", "", _ROW),
    "causal": Wrong("a causal mask in the encoder, with its padding mask or without: it reads both ways", "", _LINES),
}


def stack(name: str, other: str) -> dict[str, Wrong]:
    """Give the words for a stack of blocks."""
    return {
        "one object": Wrong(f"the blocks of the {name} are one object several times, as `[block] * n` makes it: they "
                            "share their weights", "", _NEW),
        "not chained": Wrong(f"each block of the {name} reads the embeddings, not what the block before it returned: "
                             "only the last one counts", "", "what must the result of a block be called, so that the "
                             "next one reads it?"),
        "first only": Wrong(f"only the first block of the {name} runs: a `return` inside the loop, or no loop", "",
                            "print something in the loop: how often does it appear?"),
        "backwards": Wrong(f"the blocks of the {name} run in the wrong order, from the last to the first", "", _LINES),
        "other blocks": Wrong(f"the {name} is made of {other} blocks", "", _BLOCKS),
        "plain list": Wrong(f"the blocks of the {name} are kept in a plain list, which nn.Module does not see", "",
                            "`nn.ModuleList(...)` holds modules that the model shall know of"),
    }  # fmt: skip


STACKS = {"encoder": stack("encoder", "decoder"), "decoder": stack("decoder", "encoder")}
OUTPUT = {
    "softmax": Wrong("softmax at the end; logits are wanted", "each row sums to 1", _LOSS),
    "log_softmax": Wrong("log_softmax at the end; logits are wanted", "logarithms of probabilities", _LOSS),
    "last position": Wrong("only the logits of the last position are returned", "", "training needs all positions"),
    "no bias": Wrong("the output layer has no bias", "", "the task's output layer is a plain nn.Linear"),
}
NORM_FIRST = {
    side: Wrong(f"`norm_first` does not reach the blocks of {where}", "", _FOLLOW)
    for side, where in {"encoder": "the encoder", "decoder": "the decoder", "both": "either stack"}.items()
} | {
    name: Wrong(f"{where} normalise first, whatever `norm_first` says", "", _FOLLOW)
    for name, where in {"always": "all blocks", "encoder always": "the blocks of the encoder",
                        "decoder always": "the blocks of the decoder"}.items()
}  # fmt: skip


@task.builds(
    future=FUTURE,
    looking=LOOKING,
    reading=READING,
    memory=MEMORY,
    **STACKS,
    positions=POSITIONS,
    padding={
        "fixed": Wrong("`pad_id` does not reach the masks: they take token 0 for padding always", "", _FOLLOW),
        **{place: Wrong(f"`pad_id` does not reach the {place}: the word 0 gets no gradient there", "", _FOLLOW)
           for place in ("embeddings", "source embedding", "target embedding")},
    },
    norm_first=NORM_FIRST,
    **{"last norms": {
        "encoder not called": Wrong("encoder_norm exists, but nothing calls it", "", _NORMS),
        "decoder not called": Wrong("decoder_norm exists, but nothing calls it", "", _NORMS),
        "not called": Wrong("encoder_norm and decoder_norm exist, but nothing calls them", "", _NORMS),
        "always": Wrong("the stacks have a last norm with norm_first=False too", "", _NORMS),
        "never": Wrong("a last norm is missing with norm_first=True", "", _NORMS),
    }},
    output=OUTPUT,
    tie={
        "never": Wrong("`tie_weights` is not used for target embedding and output layer", "", _TIED),
        "copied": Wrong("the numbers are copied (`.clone()`, `.copy_()`, `.data`): it is another parameter", "", _TIED),
        "not the source": Wrong("with vocabularies of equal size the source embedding is not tied", "", _TIED),
        "source too": Wrong("the source embedding is tied to a table for another vocabulary", "", _TIED),
        "always": Wrong("the weights are tied without `tie_weights` too", "", _TIED),
    },
    dropout={
        **{place: Wrong(f"`dropout` does not reach the {place.replace('both ', '')}", "", _FOLLOW)
           for place in ("source embedding", "target embedding", "encoder", "decoder", "both embeddings",
                         "both stacks")},
        "nowhere": Wrong("`dropout` does not reach any layer, or has another default than the task's", "", _FOLLOW),
        "always": Wrong("dropout stays on in evaluation mode, as that of `F.dropout` without `training=self.training`",
                        "", "nn.Dropout layers follow the mode of the model"),
    },
    layers={
        "exchanged": Wrong("the two numbers of layers change places", "", _FOLLOW),
        "one head": Wrong("`num_heads` does not reach the blocks", "", _FOLLOW),
        "d_ff": Wrong("`d_ff` does not reach the blocks", "", _FOLLOW),
    },
)  # fmt: skip
def transformer(**chosen: str) -> type[Model]:
    """Make the class with these mistakes."""
    return type("Transformer", (Model,), {"wrong": chosen})


task.oracle(Right)


def made(answer: Any, sizes: tuple[int, int] = (11, 13), train: bool = False, seed: str = "", **options: Any) -> Any:
    """Make a model with known weights; one matrix under several names gets the numbers of the output layer."""
    model = built(answer, *sizes, seed=seed, **(SIZES | {"dropout": 0.0} | options))
    raw = unwrapped(model).train(train)
    if options.get("tie_weights"):
        with torch.no_grad():
            raw.output_layer.weight.copy_(Draw("tied")(sizes[1], raw.output_layer.in_features))
    return model


def words(seed: str, lengths: tuple[int, ...], pad_id: int = PAD, bos: bool = False) -> Tensor:
    """Draw sentences of these lengths, with a word 0 where that is not padding."""
    tokens = Draw(seed).integers(4, 11, len(lengths), max(lengths))
    if pad_id != PAD:
        tokens[0, -1] = PAD
    if bos:
        tokens[:, 0] = BOS
    return tokens.masked_fill(torch.arange(max(lengths)) >= torch.tensor(lengths)[:, None], pad_id)


def at_words(result: Any, tokens: Tensor, pad_id: int = PAD) -> Any:
    """Keep what a result says at words, in float32: the encoding of a right answer may be that exact."""
    if not is_tensor(result) or result.shape[:2] != tokens.shape:
        return result
    return result.masked_fill((tokens == pad_id).unsqueeze(-1), 0.0).float()


def moves(before: Any, after: Any, tokens: Tensor) -> list[int]:
    """List the positions of the first sentence at which a result, one vector for each token, is another one."""
    if not is_tensor(before) or before.dim() != 3 or before.shape[:2] != tokens.shape:
        shape = f"has shape {tuple(before.shape)}" if is_tensor(before) else f"is of type {type(before).__name__}"
        raise Finding(f"the result {shape} for tokens of shape {tuple(tokens.shape)}", "one vector for each token",
                      "the return statement; or source and target change places",
                      "print the shape of what `encode` and `decode` return")  # fmt: skip
    length = tokens.shape[1]
    return ((after[0, :length] - before[0, :length]).abs().amax(-1) > 1e-6).nonzero().flatten().tolist()


@task.probe("every layer is there, with its size", "the layers that the task names, each in its size",
            "a layer or method that is missing, has another name, or is one too many", _NORMS)  # fmt: skip
def layers(answer):
    """The layers of a model with 2 and 3 blocks."""
    for norm_first in (False, True):
        raw = unwrapped(made(answer, norm_first=norm_first, num_decoder_layers=3))
        for name in ("encode", "decode"):
            if not hasattr(raw, name):
                return f"there is no method `{name}`"
        for name, other in (("encoder", "decoder"), ("decoder", "encoder")):
            blocks, known = getattr(raw, f"{name}_blocks", None), STACKS[name]
            if type(blocks) in (list, tuple):
                found = f"{name}_blocks is a {type(blocks).__name__}", known["plain list"]
            elif isinstance(blocks, nn.ModuleList) and len({id(block) for block in blocks}) < len(blocks):
                found = f"{len(blocks)} blocks in {name}_blocks are one and the same", known["one object"]
            elif isinstance(blocks, nn.ModuleList) and len(blocks) != UNEQUAL[f"num_{name}_layers"]:
                return f"{name}_blocks holds {len(blocks)} blocks, where {UNEQUAL[f'num_{name}_layers']} are wanted"
            elif hasattr(getattr(raw, f"{name}_blocks", [0])[0], "cross_attention") == (name == "encoder"):
                found = f"{name}_blocks holds {other} blocks", known["other blocks"]
            else:
                continue
            raise Finding(found[0], "a new block of its own kind for every layer", found[1].cause, found[1].hint)
        for name in ("encoder_norm.weight", "decoder_norm.weight"):
            if (name in shapes(raw)) != norm_first:
                return f"with norm_first={norm_first} there is {'no' if norm_first else 'the parameter'} {name}"
        require_parameters(raw, shapes(Right(11, 13, **UNEQUAL, norm_first=norm_first)))
    return None


@task.probe("in evaluation mode nothing is dropped", "the same result from the same call",
            "dropout stays on in evaluation mode, or something else is drawn at random",
            "nn.Dropout layers follow the mode of the model")  # fmt: skip
def at_random(answer):
    """Two calls in evaluation mode, dropout=0.5."""
    model, source, target = made(answer, dropout=0.5), words("s", (4, 5)), words("t", (6, 3), bos=True)
    return "two calls give different logits" if moves(model(source, target), model(source, target), target) else None


@task.probe("no position of the target sees a later word", "logits that stay: position t sees the target up to t",
            "no causal mask in the decoder, or one that hides the wrong side (all ones, inverted, transposed, one step "
            "off)", _LAST)  # fmt: skip
def future(answer):
    """A later word of the target is changed."""
    model, source, target = made(answer), words("s", (4, 5)), words("t", (6, 3), bos=True)
    later = target.clone()
    later[0, 3] = 3
    moved = [position for position in moves(model(source, target), model(source, later), target) if position < 3]
    if moved:
        return f"the word at position 3 of the target became another one, and the logits at {moved} before it moved"
    return None


@task.probe("each word of the source sees the words after it", "a memory that moves: the encoder reads both ways",
            "a causal mask in the encoder, or blocks that are not called", _LINES)  # fmt: skip
def both_directions(answer):
    """The last word of the source is changed."""
    model, source = made(answer), words("s", (5, 5))
    other = source.clone()
    other[0, 4] = 3
    still = "the last word of the source became another one, and the memory of the first word did not move"
    return None if 0 in moves(model.encode(source), model.encode(other), source) else still


def _padding(what: str, cause: str):
    @task.probe(f"{what}: no padding of the source is read, whatever `pad_id` is", "the same result without it",
                cause, _PADS)  # fmt: skip
    def padding(answer):
        """Two tokens of padding after the source."""
        for pad_id in (PAD, 3):
            model = made(answer, pad_id=pad_id)
            source, target = words("s", (4, 4), pad_id), words("t", (3, 3), pad_id, bos=True)
            longer = nn.functional.pad(source, (0, 2), value=pad_id)
            pair = [model.encode(x) if what == "encode" else model(x, target) for x in (source, longer)]
            if moves(*pair, source if what == "encode" else target):
                moved = "memory of the words" if what == "encode" else "logits"
                return f"with pad_id={pad_id}, two tokens {pad_id} after the source move the {moved}"
        return None


_padding("encode", "no padding mask in the encoder, or one that is inverted or does not know `pad_id`")
_padding("forward", "no mask for the memory in the decoder's blocks, or one that does not know `pad_id`")


@task.probe("tie_weights shares the matrix", "one parameter under each of the names that the task lists, and no other",
            "`tie_weights` is not used as the task says", _TIED)  # fmt: skip
def tied(answer):
    """The tied weights, for vocabularies of equal and of other sizes."""
    for size, tie in ((13, True), (11, True), (13, False)):
        model = unwrapped(answer(size, 13, **SIZES, tie_weights=tie))
        one, side, out = model.target_embedding.token.weight, model.source_embedding.token.weight, model.output_layer
        for name, other, wanted in (("output_layer.weight", out.weight, tie),
                                    ("source_embedding.token.weight", side, tie and size == 13)):  # fmt: skip
            if (one is other) != wanted:
                alike = ", with equal numbers" if one.shape == other.shape and torch.equal(one, other) else ""
                return (f"tie_weights={tie}, {size} and 13 words: target_embedding.token.weight and {name} are "
                        f"{'one parameter' if one is other else 'two parameters' + alike}")  # fmt: skip
    return None


def encoded(answer, source, options):
    """Observe the memory."""
    return at_words(made(answer, **options).encode(source), source, options.get("pad_id", PAD))


def said(answer, source, target, options, before=None):
    """Observe the logits, after a call with other sentences of the same lengths if there is one."""
    model = made(answer, **options)
    if before is not None:
        model(before, target)
    return at_words(model(source, target), target, options.get("pad_id", PAD))


def after_others(answer, source, target, options):
    """Observe the logits of the second of two calls."""
    return said(answer, source, target, options, before=torch.where(source > 3, 4 + (source - 3) % 5, source))


def decoded(answer, source, target, memory, options):
    """Observe the logits for a memory that did not come from `encode`."""
    return at_words(made(answer, **options).decode(target, memory, source), target)


def parameters(answer, source, target, options):
    """Observe the gradients of the parameters."""
    found = parameter_gradients(made(answer, **options), source, target)
    return {name: grad.float() for name, grad in found.items()}


def tokens(source, target=None, **options):
    """Make token ids for sentences of these lengths, and options of the constructor."""
    pad_id = options.get("pad_id", PAD)

    def make(draw):
        seed = str(int(draw.integers(0, 10**6)))
        written = [] if target is None else [words(seed + "t", target, pad_id, bos=True)]
        return words(seed, source, pad_id), *written, options

    return make


def with_memory(draw):
    """Make token ids and a memory of its own."""
    source, target, options = tokens((5, 3), (4, 2))(draw)
    return source, target, draw(2, 5, 12, dtype=torch.float64), options


FIRST = {"norm_first": True}
ONE = {"num_encoder_layers": 1, "num_decoder_layers": 1}
task.require(
    "encode reads the words of the source",
    "what the last block of the encoder says of each word, through the last norm if there is one",
    [Case("encode, 2 sentences of 5 and 3 words", tokens((5, 3)), encoded),
     Case("encode, norm_first=True", tokens((5, 3), **FIRST), encoded)],
    [Case("encode, one head", tokens((6,), num_heads=1), encoded),
     Case("encode, as many sentences as heads", tokens((5, 2, 4), seed="1", **FIRST), encoded),
     Case("encode, another pad_id", tokens((4, 2), pad_id=3, num_encoder_layers=3), encoded)],
)  # fmt: skip
EXPECTED = "for each position of the target one logit a word, from the words up to it and the whole source"
task.require(
    "forward: each position sees the source and the words up to itself",
    EXPECTED,
    [Case("forward, 2 sentences of 5 and 3 words", tokens((5, 3), (4, 2)), said),
     Case("forward, source and target of the same length", tokens((5, 3), (5, 4)), said),
     Case("forward, after a call with other sentences", tokens((5, 3), (4, 2)), after_others),
     Case("forward, norm_first=True", tokens((5, 3), (4, 2), **FIRST), said),
     Case("forward, pad_id=3", tokens((5, 3), (4, 2), pad_id=3), said)],
    [Case("forward, one head, one block of each kind", tokens((6,), (4,), num_heads=1, **ONE), said),
     Case("forward, as many sentences as heads", tokens((5, 2, 4), (3, 6, 1), seed="1", **FIRST), said),
     Case("forward, more layers that read, another pad_id",
          tokens((5, 3), (6, 4), pad_id=3, num_encoder_layers=3, num_decoder_layers=1, **FIRST), said),
     Case("forward, as long as max_length", tokens((9, 5), (9, 6)), said),
     Case("forward, a longer target than source, same lengths in the batch", tokens((3, 3), (6, 6)), said)],
    "compare with `encode` and `decode`, called one after the other",
)  # fmt: skip
task.require(
    "decode reads the memory that it is given",
    "logits from the target and the memory; `source` only says where the memory has padding",
    [Case("decode, a memory of its own", with_memory, decoded)],
    [Case("decode, another memory", with_memory, decoded)],
)
task.require(
    "tied weights give the logits of one table",
    EXPECTED,
    [Case("forward, tie_weights, 11 and 13 words", tokens((5, 3), (4, 2), tie_weights=True), said)],
    [Case("forward, tie_weights, 13 words each", tokens((5, 3), (4, 2), tie_weights=True, sizes=(13, 13)), said)],
)
DROPPED = {"dropout": 1.0, "train": True}
task.require(
    "dropout reaches every layer that takes it",
    "with dropout=1 nothing but biases and norms is left, in training",
    [Case(f"{name}, dropout=1, norm_first={first}", tokens((5, 3), *target, norm_first=first, **DROPPED), observe)
     for first in (False, True) for name, target, observe in (("encode", (), encoded), ("forward", ((4, 2),), said))],
)  # fmt: skip
task.require(
    "gradients reach every parameter",
    "the derivative of the logits with respect to every parameter",
    [Case("the gradient, pad_id=3", tokens((5, 3), (4, 4), pad_id=3), parameters)],
    [Case("the gradient, norm_first=True", tokens((5, 3), (4, 4), **FIRST), parameters)],
)


def left_out(answer):
    """Observe what the constructor does where nothing but the width is said."""
    raw, wide = answer(11, 13, d_model=16), answer(11, 13, num_encoder_layers=0, num_decoder_layers=0)
    drops = {module.p for module in unwrapped(raw).modules() if isinstance(module, nn.Dropout)}
    return {"sizes": shapes(raw) | {"wide": shapes(wide)}, "dropout": sorted(drops)}


left_out.words = Wrong("a default of the constructor is not that of the task", "another model is made",
                       "compare the first lines of `__init__` with those of the first version")  # fmt: skip


def refusing(situation, *arguments, method="forward", **options):
    """Observe whether a call of a small model is refused."""

    def observe(answer):
        return refuses()(getattr(made(answer, **options), method), *arguments)

    return Case(situation, (), observe, right=True)  # fmt: skip


_source, _target, _long = words("s", (4, 2)), words("t", (3, 5), bos=True), words("l", (10, 8))
_none = {"num_encoder_layers": 0, "num_decoder_layers": 0}
task.limits(
    "no blocks, what is left out, and wrong input",
    [
        Case("no block that reads", tokens((4, 2), (3, 5), num_encoder_layers=0), said),
        Case("no block at all, norm_first=True", tokens((4, 2), (3, 5), **_none, **FIRST), said),
        Case("sentences of one word", tokens((1, 1), (1, 1)), said),
        Case("arguments that are left out", (), left_out),
        refusing("a source longer than max_length", _long, _target),
        refusing("a target longer than max_length", _source, _long),
        refusing("one target for two sources", _source, _target[:1]),
        refusing("another memory", _target, torch.zeros(2, 3, 12).double(), _source, method="decode", **_none),
        refusal("minus one block that reads", (11, 13, 12, 3, -1), "num_encoder_layers"),
        refusal("minus one block that writes", (11, 13, 12, 3, 1, -1), "num_decoder_layers"),
    ],
    "what the task says: numbers of layers from 0, sentences up to max_length, sizes that fit",
)  # fmt: skip
