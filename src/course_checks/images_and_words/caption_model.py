"""Task `CaptionModel` of exercise 16: what may move which result first, the numbers after that."""

from itertools import combinations

import torch
from torch import nn

from course_checks.cases import Case, Draw, refusal, refuses
from course_checks.images_and_words.shared import READY_MADE, UNIT, Captioner
from course_checks.modules import built, parameter_gradients, require_parameters, shapes
from course_checks.outcomes import is_tensor, same
from course_checks.subject import unwrapped
from course_checks.task import Task
from course_checks.words import Finding, Wrong
from transformer_course.common.tokens import BOS, PAD

task = Task("CaptionModel", UNIT, READY_MADE)
task.oracle(Captioner)
SIZES = {"d_model": 12, "num_heads": 3, "num_layers": 2, "d_ff": 20, "max_length": 9}

_CUT = "call the imported `image_to_patches` on a picture whose pixels are numbered"
_PLACES = "call the imported `row_column_positions`: which argument comes first?"
_POOLED = "print `model.encode(images).shape` with pooled=True and with pooled=False"
_LATER = "change the last word of a caption, and see which logits move"
_LINES = "follow x line by line, and compare with the task"
_FOLLOW = "follow the argument from `__init__` to every layer that takes it"
_LENGTH = "`max_length` does not reach `embedding`, which refuses captions that are longer"
_NORMS = "which norm stands behind the last block of each stack, and who calls it?"


# fmt: off
_PATCHES = "image_to_patches(images, self.patch_size)"
task.edit(_PATCHES, {
    "images.reshape(len(images), -1, self.patch.in_features)": (
        "the pictures are cut as their numbers lie in memory, into strips and not into patches", _CUT),
    f"{_PATCHES.replace('images,', 'images.mT,')}.unflatten(2, (-1, self.patch_size, self.patch_size)).mT.flatten(2)": (
        "the patches are numbered column by column", _CUT),
    f"{_PATCHES}.unflatten(2, (self.channels, -1)).mT.flatten(2)": (
        "within a patch the channels of a pixel stand side by side", _CUT)})
task.edit(f"self.patch({_PATCHES})\n", {f"self.patch({_PATCHES}) * self.output.in_features**0.5\n": (
    "the embedded patches are multiplied by sqrt(d_model), as words are", "the task names no factor")})
_PLACED = "x = x + row_column_positions(self.rows, self.columns)"
task.edit("row_column_positions(self.rows, self.columns)", {
    "row_column_positions(self.columns, self.rows)": ("rows and columns change places", _PLACES),
    "row_column_positions(self.rows[:1].expand_as(self.rows), self.columns)": (
        "all patches get the vector of the same row, the first",
        "for a grid of 2 x 2 patches, print the vector of each place: which of them differ?"),
    "row_column_positions(self.rows, 0 * self.columns)": ("only the vectors of the rows are added", _PLACES),
    "row_column_positions(0 * self.rows, self.columns)": ("only the vectors of the columns are added", _PLACES),
    "0": ("the patches get no positions", _LINES)})
task.edit_places({_PLACED: "", "x = block(x)": "x = block(x + row_column_positions(self.rows, self.columns))"},
                 "the positions are added again in front of every block of the encoder", _LINES)
task.edit_places({_PLACED: "", "memory = self.encoder_norm(x)":
                  "memory = self.encoder_norm(x) + row_column_positions(self.rows, self.columns)"},
                 "the positions are added to the memory, behind the encoder, not to its input", _LINES)
task.edit_places({"self.embedding = ": "self.places = row_column_positions(self.rows, self.columns).detach()\n"
                  "self.embedding = ", _PLACED: "x = x + self.places"},
                 "the positions are added up in `__init__`, once: what rows and columns become later, by training, "
                 "does not reach `encode`", "add up rows and columns in `encode`")
_READING = "for block in self.encoder_blocks:"
_EVERY = "the memory has a row for each patch"
task.edit("if self.pooled:", {
    "if False:": ("`pooled` is not used", _POOLED, f"{_EVERY} with pooled=True too"),
    "if True:": ("the memory is pooled with pooled=False too", _POOLED)})
task.edit("memory.mean(dim=1, keepdim=True)", {
    "memory.sum(dim=1, keepdim=True)": ("the patches are summed, not averaged", _POOLED),
    "memory.amax(dim=1, keepdim=True)": ("the largest numbers are taken, not the mean", _POOLED),
    "memory[:, :1]": ("the first patch is taken, not the mean", _POOLED),
    "memory.mean(dim=2, keepdim=True)": ("the mean runs over the features, not over the patches", _POOLED),
    "memory.mean(dim=1, keepdim=True).expand_as(memory)": ("the mean is repeated for each patch", _POOLED, _EVERY)})
_AVERAGED = "x = x.mean(dim=1, keepdim=True) if self.pooled else x"
task.edit("memory = self.encoder_norm(x)", {
    f"{_AVERAGED}\nmemory = self.encoder_norm(x)": ("the mean is taken before `encoder_norm`", "the mean comes last"),
    "memory = x": ("encoder_norm exists, but nothing calls it", _NORMS)})
task.edit("is_causal=True", {
    "is_causal=False": ("there is no causal mask in the decoder", _LATER),
    "~torch.ones(x.shape[1], x.shape[1]).tril().bool()": ("the causal mask is inverted", _LATER),
    "torch.ones(x.shape[1], x.shape[1]).triu().bool()": ("the causal mask is transposed", _LATER),
    "torch.ones(x.shape[1], x.shape[1]).tril(1).bool()": ("each position sees the next word, its own label", _LATER),
    "torch.ones(x.shape[1], x.shape[1]).tril(-1).bool()": ("a position does not see itself", _LATER)})
_SHARED = "the blocks of the {} are one object several times, as `[block] * n` makes it"
_KEPT = "the blocks of the {} are kept in a plain list, which nn.Module does not see"
for _name, _other, _in in (("encoder", "decoder", "x = block(x)"), ("decoder", "encoder", "block(x, memory,")):
    _blocks = f"self.{_name}_blocks"
    task.edit(f"self.{_name}_norm = ", {
        f"{_blocks} = nn.ModuleList([*{_blocks}[:1]] * num_layers)\nself.{_name}_norm = ": (
            _SHARED.format(_name), "make a new block in each turn of a loop or comprehension")})
    task.edit(f"{_blocks} = nn.ModuleList(", {f"{_blocks} = list(": (
        _KEPT.format(_name), "`nn.ModuleList(...)` holds modules that the model shall know of")})
    task.edit(f"{_name.title()}Block(*sizes", {f"{_other.title()}Block(*sizes": (
        f"the {_name} is made of {_other} blocks", "which block reads a memory?")})
    task.edit(f"{_name.title()}Block(*sizes, norm_first=True", {f"{_name.title()}Block(*sizes": (
        f"the blocks of the {_name} normalise after each sublayer: `norm_first=True` is missing there", _FOLLOW)})
    task.edit(f"for block in {_blocks}:", {
        f"start = x\nfor block in {_blocks}:\n    x = start": (
            f"each block of the {_name} reads the embeddings, not what the block before it returned", _LINES),
        f"for block in {_blocks}[:1]:": (
            f"only the first block of the {_name} runs", "print something in the loop: how often does it appear?"),
        f"for block in reversed({_blocks}):": (
            f"the blocks of the {_name} run from the last to the first", _LINES)})
task.edit(_READING, {
    f"{_AVERAGED}\n{_READING}": ("the patches are averaged before they have met", "the mean comes last"),
    "for block in []:": ("the decoder reads the embedded patches, not what the encoder's blocks make of them", _LINES)})
task.edit("EncoderBlock(*sizes, norm_first=True", {
    'EncoderBlock(*sizes, "gelu", norm_first=True': (
        "the blocks of the encoder bend with GELU, as those of exercise 15 do; this task leaves the default, ReLU",
        "compare the arguments of EncoderBlock with those in the task")})
task.edit("x = block(x)", {"x = block(x, torch.ones(x.shape[1], x.shape[1]).tril().bool())": (
    "a causal mask in the encoder: a patch sees only those before it", "which patch may not see which?")})
task.edit("block(x, memory, is_causal=True)", {"block(memory, x, is_causal=True)": (
    "x and memory change places when the decoder blocks are called", "which argument comes first?",
    "there are logits for each row of the memory"),
    "block(x, x, is_causal=True)": (
        "the decoder looks at the words once more, not into the memory", "which argument of `decode` is never read?"),
    "block(x, memory.mean(dim=1, keepdim=True), is_causal=True)": (
        "the decoder always gets the mean of the memory", "which method takes the mean, and when?")})
task.edit_places({"x = block(x, memory": "memory = block(x, memory", "decoder_norm(x)": "decoder_norm(memory)"},
                 "what a block of the decoder says becomes the memory of the next one, which looks into it without a "
                 "mask; the memory must stay, and x go on", "print what x is after the loop")
task.edit("self.decode(target, ", {"self.decode(target[:, :-1], ": (
    "`forward` leaves out the last word of the target", "for how many words does the task want logits?")})
task.edit("x = self.embedding(target)", {"x = self.embedding(target)\nmemory = self.encoder_norm(memory)": (
    "`decode` normalises the memory, which `encode` has done already", _NORMS)})
task.edit("self.encode(images))", {f"self.patch({_PATCHES}))": (
    "`forward` hands over the embedded patches; `encode` is not called", _LINES)})
task.edit("return memory", {"return memory.detach()": (
    "the memory is cut off from the graph (`detach`, `no_grad`): the encoder never learns",
    "call `.sum().backward()` on the logits, and print `.grad` of an encoder weight")})
task.edit("self.embedding(target)", {
    "self.embedding.token(target) * self.output.in_features**0.5": (
        "the words are looked up without positions", "call the embedding, not its table"),
    "self.embedding.token(target)": (
        "the words are looked up in the table, without scale and positions", "call the embedding, not its table")})
task.edit_all(", norm_first=True", {"": (
    "the blocks normalise after each sublayer: `norm_first=True` is missing", _FOLLOW)})
_CALLED = "memory = self.encoder_norm(x)", "self.decoder_norm(x)"
task.edit_places({_CALLED[0]: "memory = self.decoder_norm(x)", _CALLED[1]: "self.encoder_norm(x)"},
                 "encoder_norm and decoder_norm change places", _NORMS)
task.edit_places({_CALLED[0]: "memory = x", _CALLED[1]: "x"},
                 "encoder_norm and decoder_norm exist, but nothing calls them", _NORMS)
task.edit_places({"x = block(x)": "x = self.encoder_norm(block(x))", _CALLED[0]: "memory = x"},
                 "encoder_norm is applied after each block, not once after the last one", _NORMS)
task.edit_places({"block(x, memory, is_causal=True)": "self.decoder_norm(block(x, memory, is_causal=True))",
                  _CALLED[1]: "x"},
                 "decoder_norm is applied after each block, not once after the last one", _NORMS)
task.edit("self.encoder_norm(x)", {"self.decoder_norm(x)": (
    "`encode` ends with decoder_norm; encoder_norm is never called", _NORMS)})
_SAID = "self.output(self.decoder_norm(x))"
task.edit(_SAID, {
    "self.output(x)": ("decoder_norm exists, but nothing calls it", _NORMS),
    "self.output(self.encoder_norm(x))": ("`decode` ends with encoder_norm; decoder_norm is never called", _NORMS),
    f"{_SAID}.softmax(-1)": (
        "softmax at the end; logits are wanted", "the loss applies it itself", "each row sums to 1"),
    f"{_SAID}.log_softmax(-1)": ("log_softmax at the end; logits are wanted", "the loss applies it itself"),
    f"{_SAID}[:, -1]": ("only the logits of the last position are returned", "training needs all positions")})
task.edit("max_length, dropout)", {
    "max_length, 0.0)": ("`dropout` does not reach the embedding of the words", _FOLLOW),
    "512, dropout)": (_LENGTH, _FOLLOW)})
task.edit("sizes = (d_model, num_heads, d_ff, dropout)", {
    "sizes = (d_model, num_heads, d_ff, 0.0)": ("`dropout` does not reach the blocks", _FOLLOW),
    "sizes = (d_model, 1, d_ff, dropout)": ("`num_heads` does not reach the blocks", _FOLLOW),
    "sizes = (d_model, num_heads, 4 * d_model, dropout)": ("`d_ff` does not reach the blocks", _FOLLOW)})
task.edit("super().__init__()", {"super().__init__()\ndropout = 0.0": ("`dropout` is not used", _FOLLOW)})
# fmt: on


def made(answer, image=(8, 4, 3), train=False, **options):
    """Make a model of 11 words with known weights."""
    model = built(answer, *image, 11, **(SIZES | options))
    unwrapped(model).train(train)
    return model


def at_words(result, tokens):
    """Keep what a result says at words, in float32: the encoding of a right answer may be that exact."""
    if not is_tensor(result) or result.shape[:2] != tokens.shape:
        return single(result)
    return result.masked_fill((tokens == PAD).unsqueeze(-1), 0.0).float()


def single(result):
    """Round a tensor to float32."""
    return result.float() if is_tensor(result) else result


@task.probe("every layer is there, with its size", "the layers that the task names, each in its size",
            "a layer or method that is missing, has another name, or is one too many",
            "print the model, and compare with the names in the task")  # fmt: skip
def layers(answer):
    """The layers of a model for pictures of 12 x 12 pixels."""
    raw = unwrapped(made(answer, (12, 4, 1)))
    for name in ("encode", "decode"):
        if not hasattr(raw, name):
            return f"there is no method `{name}`"
    for name in ("encoder_blocks", "decoder_blocks"):
        blocks = getattr(raw, name, None)
        if isinstance(blocks, nn.ModuleList) and len(blocks) != 2:
            return f"{name} holds {len(blocks)} blocks, where num_layers is 2"
    require_parameters(raw, shapes(Captioner(12, 4, 1, 11, **SIZES)))
    return None


@task.probe("in evaluation mode nothing is dropped", "the same result from the same call",
            "dropout stays on in evaluation mode, or something else is drawn at random",
            "nn.Dropout layers follow the mode of the model")  # fmt: skip
def at_random(answer):
    """Two calls in evaluation mode, dropout=0.5."""
    model, (images, target, _) = made(answer, dropout=0.5), drawn(2, 4)(Draw("random"))
    return None if same(model(images, target), model(images, target)) else "two calls give different logits"


@task.probe("no position of a caption sees a later word", "logits that stay: position t sees the caption up to t",
            "no causal mask in the decoder, or one that hides the wrong side; or a block looks at the words in the "
            "place of the memory", _LATER)  # fmt: skip
def future(answer):
    """A later word of the caption is changed."""
    model = made(answer)
    images, target, _ = drawn(2, 6)(Draw("future"))
    later = target.clone()
    later[0, 3] = 3 + (later[0, 3] - 2) % 8
    before, after = model(images, target), model(images, later)
    if not is_tensor(before) or before.shape[:2] != target.shape:
        return None  # the numbers say more
    moved = ((before - after)[0, :3].abs().amax(-1) > 1e-6).nonzero().flatten().tolist()
    if moved:
        return f"the word at position 3 became another one, and the logits at {moved} before it moved"
    return None


def drawn(batch, length, **options):
    """Draw pictures and captions, and options of the constructor."""
    size, _, channels = options.get("image", (8, 4, 3))

    def make(draw):
        target = draw.integers(4, 11, batch, length)
        target[:, 0] = BOS
        if batch > 1 and length > 3:
            target[0, -1] = PAD
        return draw(batch, channels, size, size, dtype=torch.float64), target, options

    return make


def encoded(answer, images, target, options):
    """Observe the memory."""
    return single(made(answer, **options).encode(images))


def said(answer, images, target, options):
    """Observe the logits."""
    return at_words(made(answer, **options)(images, target), target)


def decoded(answer, images, target, options):
    """Observe the logits for a memory that did not come from `encode`, and has another length."""
    memory = Draw("memory")(len(images), 7, 12, dtype=torch.float64)
    return at_words(made(answer, **options).decode(target, memory), target)


def parameters(answer, images, target, options):
    """Observe the gradients of the parameters."""
    found = parameter_gradients(made(answer, **options), images, target)
    return {name: grad.float() for name, grad in found.items()}


LONG = {"image": (12, 4, 1)}
POOLED = {"pooled": True}
task.require("encode reads the patches",
    "for each patch what the last block of the encoder says, through `encoder_norm`",
    [Case("encode, 2 pictures of 8 x 8 pixels", drawn(2, 4), encoded),
     Case("encode, 9 patches of one channel", drawn(3, 4, **LONG), encoded)],
    [Case("encode, one head", drawn(2, 3, num_heads=1, image=(6, 2, 3)), encoded),
     Case("encode, three blocks", drawn(1, 3, num_layers=3), encoded)])  # fmt: skip
task.require("pooled: one row, the mean of the memory",
    "with pooled=True the mean of the rows that `encode` returns without it, shape (batch, 1, d_model)",
    [Case("encode, pooled=True", drawn(2, 4, **POOLED), encoded)],
    [Case("encode, pooled=True, 9 patches", drawn(3, 4, **LONG, **POOLED), encoded)])  # fmt: skip
task.require("decode reads the memory that it is given, whatever its length",
    "for each position one logit a word, from the words up to it and the rows of the memory",
    [Case("decode, a memory of 7 rows", drawn(2, 5), decoded)],
    [Case("decode, one block", drawn(3, 4, num_layers=1), decoded)])  # fmt: skip
task.require("forward: the picture, then the caption", "what `decode` says of the memory that `encode` returns",
    [Case("forward, 2 pictures", drawn(2, 5), said), Case("forward, pooled=True", drawn(2, 5, **POOLED), said)],
    [Case("forward, 9 patches", drawn(3, 6, **LONG), said), Case("forward, max_length words", drawn(2, 9), said),
     Case("forward, as many pictures as heads", drawn(3, 3, num_layers=1), said)],
    "compare with `encode` and `decode`, called one after the other")  # fmt: skip
task.require("dropout reaches every layer that takes it",
    "with dropout=1 nothing but biases and norms is left, in training",
    [Case("decode, dropout=1, training mode", drawn(2, 4, dropout=1.0, train=True), decoded),
     Case("forward, dropout=1, training mode", drawn(2, 4, dropout=1.0, train=True), said),
     Case("forward, dropout=0.5, evaluation mode", drawn(2, 4, dropout=0.5), said)])  # fmt: skip
task.require("gradients reach every parameter", "the derivative of the logits with respect to every parameter",
    [Case("the gradient", drawn(2, 3), parameters)],
    [Case("the gradient, pooled=True", drawn(2, 3, **POOLED), parameters)])  # fmt: skip


def left_out(answer):
    """Observe what the constructor makes where nothing but the first four arguments is given."""
    raw = unwrapped(answer(8, 4, 3, 11))
    drops = {module.p for module in raw.modules() if isinstance(module, nn.Dropout)}
    return {
        "sizes": shapes(raw),
        "drops": sorted(drops) or [0.0],
        "memory": tuple(raw.encode(torch.zeros(1, 3, 8, 8)).shape),
    }


left_out.words = Wrong("a default of the constructor is not that of the task", "another model is made",
                       "compare the first lines of `__init__` with those of the first version")  # fmt: skip


def not_alike(answer):
    """Observe whether the positions start as different numbers."""
    raw = unwrapped(answer(8, 4, 3, 11))
    if any(torch.equal(*pair) for pair in combinations((*raw.rows, *raw.columns), 2)):
        raise Finding("two rows or columns start with the same numbers", "a start at which places differ",
                      "rows and columns start at zero, or at any one number: patches cannot be told apart at first",
                      "`0.5 * torch.randn(...)` draws a start")  # fmt: skip


def _refusing(situation, images, target, cause=""):
    def observe(answer):
        try:
            return refuses()(made(answer), images, target)
        except Finding as found:
            if not cause or "returned" not in found.observed:
                raise
            raise Finding(found.observed, found.expected, cause, _FOLLOW, True) from None

    return Case(situation, (), observe, right=True)


_PICTURES = torch.zeros(1, 3, 8, 12, dtype=torch.float64)
task.limits("one patch, one word, what is left out, and wrong input",
    [Case("one patch", drawn(2, 3, image=(4, 4, 3)), said), Case("one word", drawn(2, 1), said),
     Case("arguments that are left out", (), left_out),
     Case("the start of rows and columns", (), not_alike, right=None),
     _refusing("pictures of other sizes", _PICTURES, torch.tensor([[BOS, 4, 5]])),
     _refusing("a caption longer than max_length", _PICTURES[..., :8], torch.full((1, 10), 4), _LENGTH),
     refusal("a patch that does not divide", (8, 3, 3, 11), "patch")],
    "what the task says: square pictures, patches that divide them, captions up to max_length")  # fmt: skip
