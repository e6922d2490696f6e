"""Task `Transformer` of exercise 10: what may move which result first, the numbers after that."""

import torch
from torch import nn

from course_checks.cases import Case, Draw, refusal, refuses
from course_checks.modules import built, parameter_gradients, require_parameters, shapes
from course_checks.outcomes import is_tensor
from course_checks.subject import unwrapped
from course_checks.task import Task
from course_checks.transformer.shared import READY_MADE, UNIT, Right
from course_checks.words import Finding, Wrong
from transformer_course.common.tokens import BOS, PAD

task = Task("Transformer", UNIT, READY_MADE)
task.oracle(Right)
SIZES = {"d_model": 12, "num_heads": 3, "num_encoder_layers": 2, "num_decoder_layers": 2, "d_ff": 20, "max_length": 9}
SMALL = {"num_encoder_layers": 1, "num_decoder_layers": 1}  # where a second block would say no more
BOTH = {"encoder": "decoder", "decoder": "encoder"}
_ROW = "print the mask for three words and read its first row; True means `may be attended to`"
_LAST = "change the last word of a target, and see which logits move"
_PADS = "append PAD to a source, and see what moves"
LINES = "write down which tensor goes into which argument, line by line, and compare with the task"
_TABLE = "the imported TransformerEmbedding scales and adds positions: call it, not its table"
FOLLOW = "follow the argument from `__init__` to every layer that takes it"
_LOSS = "return what the output layer says: the loss applies softmax itself"
_NORMS = "print the model with norm_first=True and with norm_first=False"
_TIED = "set the attribute of one layer to the parameter of the other; which tables have a row for each target word?"
_WHOSE = "whose words are the keys in cross-attention?"
_KNOWN = {  # of the blocks of a stack
    "object": ("the blocks of the {} are one object several times, as `[block] * n` makes it: they share their weights",
               "make a new block in each turn of a loop or comprehension"),
    "list": ("the blocks of the {} are kept in a plain list, which nn.Module does not see",
             "`nn.ModuleList(...)` holds modules that the model shall know of"),
    "others": ("the {} is made of {} blocks", "which of the two imported blocks reads a memory?"),
}  # fmt: skip


def known(fault, stack):
    """Give the words for what is wrong with the blocks of a stack."""
    cause, hint = _KNOWN[fault]
    return cause.format(stack, BOTH[stack]), hint


# fmt: off
_CAUSAL, _OWN, _LOOK = (
    "causal_mask(target.shape[1])", "padding_mask(target, self.pad_id)", "padding_mask(source, self.pad_id)")
_OFF = {
    f"~{_CAUSAL}": ("the causal mask is inverted: it hides the past and shows the future", _ROW),
    f"{_CAUSAL}.T": ("the causal mask is transposed: each position sees itself and what comes later", _ROW),
    "torch.ones(target.shape[1], target.shape[1]).tril(1).bool()": (
        "the causal mask is one step off: each position sees the next word, its own label", _ROW),
    f"{_CAUSAL}.tril(-1)": ("the causal mask is one step off: a position does not see itself", _ROW),
}
_SOFTMAX = "{} at the end; logits are wanted"
EDITS = {  # those that the model of task 5 shares
    f"combine_masks(causal, {_OWN})": {
        "None": ("no causal mask in the decoder: its blocks get None, or a mask that is True everywhere", _LAST),
        _OWN: ("no causal mask in the decoder: its blocks get the padding mask of the target alone", _LAST),
    } | _OFF | {f"combine_masks({mask}, {_OWN})": words for mask, words in _OFF.items()},
    f"memory_mask = {_LOOK}\nx = self.": {f"memory_mask = {mask}\nx = self.": words for mask, words in {
        "None": ("the decoder's blocks get no mask for the memory (`memory_mask`)", _PADS),
        f"~{_LOOK}": ("the mask for the memory is inverted; True means: may be attended to", _PADS),
        f"{_LOOK} & torch.ones(target.shape[1], source.shape[1]).tril().bool()": (
            "the causal mask is used for the memory too: the first words see the beginning of the source only",
            "the whole source is known before the first word is written"),
        _CAUSAL: ("the causal mask is handed over as the mask for the memory", LINES),
        f"combine_masks({_CAUSAL}, {_OWN})": (
            "the mask of the target for itself is handed over as the mask for the memory too", LINES),
        _OWN: ("the mask for the memory is made from `target`, but its keys are words of the source", _WHOSE),
        "padding_mask(target if target.shape == source.shape else source, self.pad_id)": (
            "the mask for the memory is made from `target` where both are equally long", _WHOSE)}.items()},
    "self_mask, memory_mask)": {
        "memory_mask, self_mask)": ("the two masks of the decoder's blocks change places", LINES)},
    "block(x, mask)": {
        "block(x)": ("no padding mask in the encoder", _PADS),
        "block(x, ~mask)": ("the padding mask of the encoder is inverted; True means: may be attended to", _ROW),
        "block(x, mask & causal_mask(source.shape[1]))": (
            "a causal mask in the encoder, with its padding mask or without: it reads both ways", LINES)},
    "self.output_layer(self.decoder_norm(x))": {f"self.output_layer(self.decoder_norm(x)){more}": words
                                                for more, words in {
        ".softmax(-1)": (_SOFTMAX.format("softmax"), _LOSS, "each row sums to 1"),
        ".log_softmax(-1)": (_SOFTMAX.format("log_softmax"), _LOSS, "logarithms of probabilities"),
        "[:, -1]": ("only the logits of the last position are returned", "training needs all positions")}.items()},
    "(d_model, target_vocab_size)": {"(d_model, target_vocab_size, bias=False)": (
        "the output layer has no bias", "the task's output layer is a plain nn.Linear")},
    "self.output_layer = ": {},
}
_SAID = {"encoder": "block(x, mask)", "decoder": "block(x, memory"}
PLACES = [({
    "for block in self.encoder_blocks:": "self.said = []\nfor block in self.encoder_blocks:",
    _SAID["encoder"]: "block(x, mask)\nself.said.append(x)",
    _SAID["decoder"]: "block(x, self.said.pop(0) if len(self.said) > 1 else self.said[0]"},
    "each block of the decoder reads what the same block of the encoder said, not what the whole encoder says", LINES)]
_TOKENS = {f"{side}_embedding({side})": f"{side}_embedding.token({side})" for side in ("source", "target")}
for _name, _other, _side in (("encoder", "decoder", "source"), ("decoder", "encoder", "target")):
    _blocks = f"self.{_name}_blocks"
    EDITS.setdefault(_SAID[_name], {})[_SAID[_name].replace("x", f"self.{_side}_embedding({_side})")] = (
        f"each block of the {_name} reads the embeddings, not what the block before it returned: only the last one "
        "counts", "what must the result of a block be called, so that the next one reads it?")
    EDITS["self.output_layer = "][
        f"{_blocks} = nn.ModuleList([*{_blocks}[:1]] * num_{_name}_layers)\nself.output_layer = "
    ] = known("object", _name)
    EDITS |= {
        f"in {_blocks}:": {
            f"in {_blocks}[:1]:": (f"only the first block of the {_name} runs: a `return` inside the loop, or no loop",
                "print something in the loop: how often does it appear?"),
            f"in reversed({_blocks}):": (
                f"the blocks of the {_name} run in the wrong order, from the last to the first", LINES)},
        f"{_blocks} = nn.ModuleList(": {f"{_blocks} = list(": known("list", _name)},
        f"{_name.title()}Block(": {f"{_other.title()}Block(": known("others", _name)},
        f"{_side}_embedding({_side})": {},
    }
_ROOT = "self.output_layer.in_features**0.5"
_WITHOUT = "{} looked up in the table of the embedding (`.token`), without {}"
for _more, _what in (("", "scale and positions"), (f" * {_ROOT}", "positions")):
    for _old, _new in _TOKENS.items():
        EDITS[_old][_new + _more] = _WITHOUT.format(f"the {_old[:6]}'s tokens are", _what), _TABLE
    PLACES.append(({old: new + _more for old, new in _TOKENS.items()},
                   _WITHOUT.format("all tokens are", _what), _TABLE))
PLACES.append(({old: f"{old} - self.{table} * ({_ROOT} - 1)" for old, table in _TOKENS.items()},
               "the embeddings get positions, but are not multiplied by sqrt(d_model)", _TABLE))
EDITS["in self.decoder_blocks:"]["in self.decoder_blocks:\n    memory = memory.detach()"] = (
    "the memory is cut off from the graph (`detach`, `no_grad`): the encoder never learns",
    "call `.sum().backward()` on the logits, and print `.grad` of an encoder weight")
EMBEDDING = "the decoder reads the embeddings of the source, not what `encode` returns", LINES
EXCHANGED = "source and target change places in `forward`", LINES
ALWAYS = "{} normalise first, whatever `norm_first` says"
for _old, _wrong in EDITS.items():
    task.edit(_old, _wrong)
for _changes, *_words in PLACES:
    task.edit_places(_changes, *_words)

_DECODE = "self.decode(target, self.encode(source), source)"
task.edit(_DECODE, {
    _DECODE.replace("encode", "source_embedding"): EMBEDDING,
    "self.decode(source, self.encode(target), target)": EXCHANGED,
    _DECODE.replace("self.encode(source)", "vars(self).setdefault(str(source.shape), self.encode(source))"): (
        "the model keeps the memory of an earlier call in `self`", "compute all of it in each call")})
task.edit("causal = ", {"memory = self.encode(source)\ncausal = ": (
    "`decode` encodes the source anew, and does not use the memory that it is given", "use the argument `memory`",
    "the logits do not depend on the memory")})
task.edit("self.pad_id = pad_id", {"self.pad_id = PAD": (
    "`pad_id` does not reach the masks: they take token 0 for padding always", FOLLOW)})
task.edit_all(_LOOK, {
    "padding_mask(source, PAD)": ("`pad_id` does not reach the masks: they take token 0 for padding always", FOLLOW),
    f"{_LOOK}.mT": ("the padding mask of the source hides queries, not keys: (batch, 1, length, 1)", _ROW)})
task.edit(_OWN, {"padding_mask(source if source.shape == target.shape else target, self.pad_id)": (
    "where source and target have the same shape, the self-attention of the decoder gets the padding of the source",
    "whose words are the keys in self-attention?")})
_NO_PAD = "`pad_id` does not reach the {}: the word 0 gets no gradient there"
_NO_DROPOUT = "`dropout` does not reach the {}"
for _name, _other in BOTH.items():
    _side = "source" if _name == "encoder" else "target"
    _old = f"({_side}_vocab_size, d_model, max_length, dropout, pad_id)"
    task.edit(_old, {_old.replace(", pad_id", ""): (_NO_PAD.format(f"{_side} embedding"), FOLLOW),
                     _old.replace("dropout", "0.0"): (_NO_DROPOUT.format(f"{_side} embedding"), FOLLOW)})
    _old = f"{_name.title()}Block(d_model, num_heads, d_ff, dropout, norm_first=norm_first"
    task.edit(_old, {
        _old.replace("=norm_first", "=False"): (f"`norm_first` does not reach the blocks of the {_name}", FOLLOW),
        _old.replace("=norm_first", "=True"): (ALWAYS.format(f"the blocks of the {_name}"), FOLLOW),
        _old.replace("dropout", "0.0"): (_NO_DROPOUT.format(_name), FOLLOW)})
    task.edit(f"self.{_name}_norm(x)", {
        "x": (f"{_name}_norm exists, but nothing calls it", _NORMS),
        f"self.{_other}_norm(x)": (f"the {_name} ends with {_other}_norm, which belongs to the {_other}", _NORMS)})
for _name, _call, _return in (("encoder", "block(x, mask)", "return {}"),
                              ("decoder", "block(x, memory, self_mask, memory_mask)", "self.output_layer({})")):
    for _last in ("x", f"self.{_name}_norm(x)"):
        task.edit_places({f"x = {_call}": f"x = self.{_name}_norm({_call})",
                          _return.format(f"self.{_name}_norm(x)"): _return.format(_last)},
                         f"{_name}_norm is applied after every block, not once after the last one", _NORMS)
task.edit_places({f"self.{name}_norm(x)": "x" for name in BOTH},
                 "encoder_norm and decoder_norm exist, but nothing calls them", _NORMS)
task.edit_places({f"range(num_{name}_layers)": f"range(num_{other}_layers)" for name, other in BOTH.items()},
                 "the two numbers of layers change places", FOLLOW)
task.edit_places({f"x = self.{old}": f"x = nn.functional.dropout(self.{old}, 0.5)" for old in _TOKENS},
                 "dropout stays on in evaluation mode, as that of `F.dropout` without `training=self.training`",
                 "nn.Dropout layers follow the mode of the model")
for _old, _wrong in {
    "norm_first=norm_first": {
        "norm_first=False": ("`norm_first` does not reach the blocks of either stack", FOLLOW),
        "norm_first=True": (ALWAYS.format("all blocks"), FOLLOW)},
    "(d_model, num_heads, d_ff, dropout": {
        "(d_model, 1, d_ff, dropout": ("`num_heads` does not reach the blocks", FOLLOW),
        "(d_model, num_heads, 4 * d_model, dropout": ("`d_ff` does not reach the blocks", FOLLOW),
        "(d_model, num_heads, d_ff, 0.0": (_NO_DROPOUT.format("stacks"), FOLLOW)},
    "max_length, dropout, pad_id": {
        "max_length, dropout": (_NO_PAD.format("embeddings"), FOLLOW),
        "max_length, 0.0, pad_id": (_NO_DROPOUT.format("embeddings"), FOLLOW)},
    "LayerNorm(d_model) if norm_first else nn.Identity()": {
        "LayerNorm(d_model)": ("the stacks have a last norm with norm_first=False too", _NORMS),
        "nn.Identity()": ("a last norm is missing with norm_first=True", _NORMS)},
}.items():
    task.edit_all(_old, _wrong)
task.edit("super().__init__()", {"super().__init__()\ndropout = 0.0": (
    "`dropout` does not reach any layer, or has another default than the task's", FOLLOW)})
task.edit("if tie_weights:", {
    "if False:": ("`tie_weights` is not used for target embedding and output layer", _TIED),
    "if True:": ("the weights are tied without `tie_weights` too", _TIED)})
task.edit("self.output_layer.weight = self.target_embedding.token.weight", {
    "if source_vocab_size != target_vocab_size:\n    self.output_layer.weight = self.target_embedding.token.weight": (
        "with vocabularies of equal size the output layer is not tied", _TIED),
    "self.output_layer.weight.data = self.target_embedding.token.weight.data.clone()": (
        "the numbers are copied (`.clone()`, `.copy_()`, `.data`): it is another parameter", _TIED)})
task.edit("if source_vocab_size == target_vocab_size:", {
    "if False:": ("with vocabularies of equal size the source embedding is not tied", _TIED),
    "if True:": ("the source embedding is tied to a table for another vocabulary", _TIED)})
# fmt: on


def made(answer, sizes=(11, 13), train=False, seed="", **options):
    """Make a model with known weights; one matrix under several names gets the numbers of the output layer."""
    model = built(answer, *sizes, seed=seed, **(SIZES | {"dropout": 0.0} | options))
    raw = unwrapped(model).train(train)
    if options.get("tie_weights"):
        with torch.no_grad():
            raw.output_layer.weight.copy_(Draw("tied")(sizes[1], raw.output_layer.in_features))
    return model


def words(seed, lengths, pad_id=PAD, bos=False):
    """Draw sentences of these lengths, with a word 0 where that is not padding."""
    tokens = Draw(seed).integers(4, 11, len(lengths), max(lengths))
    if pad_id != PAD:
        tokens[0, -1] = PAD
    if bos:
        tokens[:, 0] = BOS
    return tokens.masked_fill(torch.arange(max(lengths)) >= torch.tensor(lengths)[:, None], pad_id)


def at_words(result, tokens, pad_id=PAD):
    """Keep what a result says at words, in float32: the encoding of a right answer may be that exact."""
    if not is_tensor(result) or result.shape[:2] != tokens.shape:
        return result
    return result.masked_fill((tokens == pad_id).unsqueeze(-1), 0.0).float()


def moves(before, after, tokens):
    """List the positions of the first sentence at which a result, one vector for each token, is another one."""
    if not is_tensor(before) or before.dim() != 3 or before.shape[:2] != tokens.shape:
        shape = f"has shape {tuple(before.shape)}" if is_tensor(before) else f"is of type {type(before).__name__}"
        raise Finding(f"the result {shape} for tokens of shape {tuple(tokens.shape)}", "one vector for each token",
                      "the return statement; or source and target change places",
                      "print the shape of what `encode` and `decode` return")  # fmt: skip
    length = tokens.shape[1]
    return ((after[0, :length] - before[0, :length]).abs().amax(-1) > 1e-6).nonzero().flatten().tolist()


def changed(tokens, position):
    """Put another word at a position of the first sentence."""
    return tokens.index_put((torch.tensor(0), torch.tensor(position)), torch.tensor(3))


@task.probe("every layer is there, with its size", "the layers that the task names, each in its size",
            "a layer or method that is missing, has another name, or is one too many", _NORMS)  # fmt: skip
def layers(answer):
    """The layers of a model with 2 and 3 blocks."""
    for first in (False, True):
        raw = unwrapped(made(answer, norm_first=first, num_decoder_layers=3))
        for name, number in (("encoder", 2), ("decoder", 3)):
            blocks, kind = getattr(raw, f"{name}_blocks", None), "cross_attention"
            if not hasattr(raw, name[:-1]):
                return f"there is no method `{name[:-1]}`"
            if isinstance(blocks, nn.ModuleList) and len(blocks) == len(set(blocks)) != number:
                raise Finding(f"{name}_blocks holds {len(blocks)} blocks, where {number} are wanted",
                              "`num_encoder_layers` blocks that read, and `num_decoder_layers` that write",
                              f"{name}_blocks is not made of `num_{name}_layers` blocks", LINES)  # fmt: skip
            seen = {
                "list": type(blocks) in (list, tuple) and f"{name}_blocks is a {type(blocks).__name__}",
                "object": isinstance(blocks, nn.ModuleList) and len(set(blocks)) < number
                and f"{len(blocks)} blocks in {name}_blocks are one and the same",
                "others": blocks is not None and hasattr(blocks[0], kind) == (name == "encoder")
                and f"{name}_blocks holds {BOTH[name]} blocks",
            }  # fmt: skip
            for fault in filter(seen.get, seen):
                raise Finding(seen[fault], "a new block of its own kind for every layer", *known(fault, name))
            if (f"{name}_norm.weight" in shapes(raw)) != first:
                return f"with norm_first={first} there is {'no' if first else 'the parameter'} {name}_norm.weight"
        require_parameters(raw, shapes(Right(11, 13, **SIZES | {"num_decoder_layers": 3}, norm_first=first)))


@task.probe("in evaluation mode nothing is dropped", "the same result from the same call",
            "dropout stays on in evaluation mode, or something else is drawn at random",
            "nn.Dropout layers follow the mode of the model")  # fmt: skip
def at_random(answer):
    """Two calls in evaluation mode, dropout=0.5."""
    model, source, target = made(answer, dropout=0.5, **SMALL), words("s", (4, 5)), words("t", (6, 3), bos=True)
    return "two calls give different logits" if moves(model(source, target), model(source, target), target) else None


@task.probe("no position of the target sees a later word", "logits that stay: position t sees the target up to t",
            "no causal mask in the decoder, or one that hides the wrong side (all ones, inverted, transposed, one step "
            "off)", _LAST)  # fmt: skip
def future(answer):
    """A later word of the target is changed."""
    model, source, target = made(answer, **SMALL), words("s", (4, 5)), words("t", (6, 3), bos=True)
    moved = [each for each in moves(model(source, target), model(source, changed(target, 3)), target) if each < 3]
    seen = f"the word at position 3 of the target became another one, and the logits at {moved} before it moved"
    return seen if moved else None


@task.probe("each word of the source sees the words after it", "a memory that moves: the encoder reads both ways",
            "a causal mask in the encoder, or blocks that are not called", LINES)  # fmt: skip
def both_directions(answer):
    """The last word of the source is changed."""
    model, source = made(answer, **SMALL), words("s", (5, 5))
    still = "the last word of the source became another one, and the memory of the first word did not move"
    return None if 0 in moves(model.encode(source), model.encode(changed(source, 4)), source) else still


def _padding(what: str, cause: str):
    @task.probe(f"{what}: no padding of the source is read, whatever `pad_id` is", "the same result without it",
                cause, _PADS)  # fmt: skip
    def padding(answer):
        """Two tokens of padding after the source."""
        for pad_id in (PAD, 3):
            model = made(answer, pad_id=pad_id, **SMALL)
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
        model = unwrapped(answer(size, 13, **SIZES | SMALL, tie_weights=tie))
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


def left_out(answer):
    """Observe what the constructor does where nothing but the width is said."""
    raw, wide = answer(11, 13, d_model=16), answer(11, 13, num_encoder_layers=0, num_decoder_layers=0)
    drops = {module.p for module in unwrapped(raw).modules() if isinstance(module, nn.Dropout)}
    return {"sizes": shapes(raw) | {"wide": shapes(wide)}, "dropout": sorted(drops)}


left_out.words = Wrong("a default of the constructor is not that of the task", "another model is made",
                       "compare the first lines of `__init__` with those of the first version")  # fmt: skip


def tokens(source, target=None, memory=False, **options):
    """Make token ids for sentences of these lengths, a memory of its own, and options of the constructor."""
    pad_id = options.get("pad_id", PAD)

    def make(draw):
        seed = str(int(draw.integers(0, 10**6)))
        written = [] if target is None else [words(seed + "t", target, pad_id, bos=True)]
        more = [draw(len(source), max(source), 12, dtype=torch.float64)] * memory
        return words(seed, source, pad_id), *written, *more, options

    return make


def refusing(situation, *arguments, method="forward", **options):
    """Make the case of a call of a small model that is refused."""
    return Case(situation, (), lambda answer: refuses()(getattr(made(answer, **options), method), *arguments), True)


def too_long(situation, *arguments):
    """Make the case of a sentence that is longer than `max_length`, which the embeddings refuse where they know it."""

    def observe(answer):
        try:
            return refuses()(made(answer), *arguments)
        except Finding as found:
            raise Finding(found.observed, found.expected, "`max_length` does not reach the embeddings", FOLLOW,
                          final=True) from None  # fmt: skip

    return Case(situation, (), observe, right=True)


# fmt: off
FIRST, NONE, DROPPED = {"norm_first": True}, {"num_encoder_layers": 0, "num_decoder_layers": 0}, {"dropout": 1.0,
                                                                                                "train": True, **SMALL}
EXPECTED = "for each position of the target one logit a word, from the words up to it and the whole source"
task.require("encode reads the words of the source",
    "what the last block of the encoder says of each word, through the last norm if there is one",
    [Case("encode, 2 sentences of 5 and 3 words", tokens((5, 3)), encoded),
     Case("encode, norm_first=True", tokens((5, 3), **FIRST), encoded)],
    [Case("encode, one head", tokens((6,), num_heads=1), encoded),
     Case("encode, as many sentences as heads", tokens((5, 2, 4), seed="1", **FIRST), encoded),
     Case("encode, another pad_id", tokens((4, 2), pad_id=3, num_encoder_layers=3), encoded)])
task.require("forward: each position sees the source and the words up to itself", EXPECTED,
    [Case("forward, 2 sentences of 5 and 3 words", tokens((5, 3), (4, 2)), said),
     Case("forward, source and target of the same length", tokens((5, 3), (5, 4)), said),
     Case("forward, after a call with other sentences", tokens((5, 3), (4, 2)), after_others),
     Case("forward, norm_first=True", tokens((5, 3), (4, 2), **FIRST), said),
     Case("forward, pad_id=3", tokens((5, 3), (4, 2), pad_id=3, **SMALL), said)],
    [Case("forward, one head, one block of each kind",
          tokens((6,), (4,), num_heads=1, num_encoder_layers=1, num_decoder_layers=1), said),
     Case("forward, as many sentences as heads", tokens((5, 2, 4), (3, 6, 1), seed="1", **FIRST), said),
     Case("forward, more layers that read, another pad_id",
          tokens((5, 3), (6, 4), pad_id=3, num_encoder_layers=3, num_decoder_layers=1, **FIRST), said),
     Case("forward, as long as max_length", tokens((9, 5), (9, 6)), said),
     Case("forward, a longer target than source, same lengths in the batch", tokens((3, 3), (6, 6)), said)],
    "compare with `encode` and `decode`, called one after the other")
task.require("decode reads the memory that it is given",
    "logits from the target and the memory; `source` only says where the memory has padding",
    [Case("decode, a memory of its own", tokens((5, 3), (4, 2), memory=True), decoded)],
    [Case("decode, another memory", tokens((5, 3), (4, 2), memory=True), decoded)])
task.require("tied weights give the logits of one table", EXPECTED,
    [Case("forward, tie_weights, 11 and 13 words", tokens((5, 3), (4, 2), tie_weights=True, **SMALL), said)],
    [Case("forward, tie_weights, 13 words each", tokens((5, 3), (4, 2), tie_weights=True, sizes=(13, 13)), said)])
task.require(
    "dropout reaches every layer that takes it", "with dropout=1 nothing but biases and norms is left, in training",
    [Case(f"{name}, dropout=1, norm_first={first}", tokens((5, 3), *target, norm_first=first, **DROPPED), observe)
     for first in (False, True) for name, target, observe in (("encode", (), encoded), ("forward", ((4, 2),), said))])
task.require("gradients reach every parameter", "the derivative of the logits with respect to every parameter",
    [Case("the gradient, pad_id=3", tokens((5, 3), (4, 4), pad_id=3), parameters)],
    [Case("the gradient, norm_first=True", tokens((5, 3), (4, 4), **FIRST), parameters)])
_source, _target, _long = words("s", (4, 2)), words("t", (3, 5), bos=True), words("l", (10, 8))
task.limits("no blocks, what is left out, and wrong input",
    [Case("no block that reads", tokens((4, 2), (3, 5), num_encoder_layers=0), said),
     Case("no block at all, norm_first=True", tokens((4, 2), (3, 5), **NONE, **FIRST), said),
     Case("sentences of one word", tokens((1, 1), (1, 1)), said), Case("arguments that are left out", (), left_out),
     too_long("a source longer than max_length", _long, _target),
     too_long("a target longer than max_length", _source, _long),
     refusing("one target for two sources", _source, _target[:1]),
     refusing("another memory", _target, torch.zeros(2, 3, 12).double(), _source, method="decode", **NONE),
     refusal("minus one block that reads", (11, 13, 12, 3, -1), "num_encoder_layers"),
     refusal("minus one block that writes", (11, 13, 12, 3, 1, -1), "num_decoder_layers")],
    "what the task says: numbers of layers from 0, sentences up to max_length, sizes that fit")
