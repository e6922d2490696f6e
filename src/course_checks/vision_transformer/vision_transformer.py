"""Task `VisionTransformer` of exercise 15: what may move which result first, the numbers after that."""

from typing import Any

import torch
from torch import Tensor, nn

from course_checks.cases import Case, Draw, refusal, refuses
from course_checks.modules import built, parameter_gradients, require_parameters, shapes
from course_checks.subject import unwrapped
from course_checks.task import Task
from course_checks.transformer_blocks.blocks import TorchBlock
from course_checks.vision_transformer.shared import UNIT, embed_by_convolution, right_places
from course_checks.words import Finding

task = Task("VisionTransformer", UNIT, ("multi_head_attention_forward", "_transformer_encoder_layer_fwd"))
SIZES = {"d_model": 12, "num_heads": 3, "num_layers": 2, "d_ff": 20}

_FOLLOW = "follow the argument from `__init__` to every layer that takes it"
_LINES = "write the shape at the end of each line of `forward`, and what stands at position 0"
_SWAP = "let two patches of a picture change places: should the logits move?"
_READ = "only one position is asked: which one, and what stood there in the beginning?"
_DROP = "which line of `forward` calls dropout, and on what?"
_TABLE = "add up class_position, rows and columns in `forward`"
_NEW = "make a new block in each turn of a loop or comprehension"
_LOSS = "return what `head` says: the loss applies softmax itself"
_SUMS = "positions are (1 + num_patches, d_model): print their first row, and the sum of row 0 and column 0"


@task.oracle
class Right(nn.Module):
    """The same parameters: a convolution, and torch's own layers."""

    def __init__(self, image_size, patch, channels, num_classes, d_model=64, num_heads=4, num_layers=2, d_ff=128,
                 dropout=0.0):  # fmt: skip
        super().__init__()
        if image_size % patch:
            raise ValueError("patch: expected a divisor of image_size")
        if num_layers < 1:
            raise ValueError("num_layers: expected 1 or more")
        self.sizes, side = (image_size, patch, channels), image_size // patch
        self.patch = nn.Linear(channels * patch**2, d_model)
        self.class_token = nn.Parameter(torch.randn(1, 1, d_model))
        self.rows, self.columns = (nn.Parameter(torch.randn(side, d_model)) for _ in range(2))
        self.class_position = nn.Parameter(torch.randn(1, d_model))
        self.dropout = nn.Dropout(dropout)
        self.blocks = nn.ModuleList(
            TorchBlock(d_model, num_heads, d_ff, dropout, "gelu", True) for _ in range(num_layers)
        )
        self.norm, self.head = nn.LayerNorm(d_model), nn.Linear(d_model, num_classes)

    def forward(self, images: Tensor) -> Tensor:
        """Read, and ask the class token."""
        size, patch, channels = self.sizes
        if tuple(images.shape[1:]) != (channels, size, size):
            raise ValueError("images: expected another shape")
        x = embed_by_convolution(images, self.patch.weight, self.patch.bias, patch)
        x = torch.cat([self.class_token.repeat(len(x), 1, 1), x], 1)
        x = self.dropout(x + torch.cat([self.class_position, right_places(self.rows, self.columns)]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x[:, 0]))


# fmt: off
_YOURS = "use your `image_to_patches`"
task.edit("image_to_patches(images, self.patch_size)", {
    "images.reshape(len(images), -1, self.patch.in_features)": (
        "the pictures are cut by `reshape` alone: strips of pixels, not squares", f"{_YOURS}, or torch's `unfold`"),
    "image_to_patches(images.mT, self.patch_size).unflatten(2, (-1, self.patch_size, self.patch_size)).mT.flatten(2)": (
        "patches and positions do not come in the same order: one of them goes through the grid row by row, the other "
        "column by column, as where rows and columns change places",
        "write down for a grid of 2 x 2: which patch is number 1, and whose row and column are added to it?"),
    "image_to_patches(images, self.patch_size).unflatten(2, (len(images[0]), -1)).mT.flatten(2)": (
        "the channels of a pixel stand side by side in a patch", _YOURS),
})
_PLACES = "torch.cat([self.class_position, row_column_positions(self.rows, self.columns)])"
_ZEROS = "torch.zeros_like(self.class_position)"
task.edit(_PLACES, {
    "0": ("no positions are added", _SWAP),
    f"torch.cat([{_ZEROS}, row_column_positions(self.rows, self.columns)])": (
        "`class_position` is not added to the class token", _SUMS),
    "torch.cat([row_column_positions(self.rows, self.columns), self.class_position])": (
        "`class_position` stands behind the positions of the patches: each patch gets that of its neighbour", _SUMS),
    f"self.class_position + torch.cat([{_ZEROS}, row_column_positions(self.rows, self.columns)])": (
        "`class_position` is added to the patches too", _SUMS),
    "torch.cat([self.class_position, row_column_positions(self.rows, 0 * self.columns)])": (
        "the columns are not added", _SUMS),
    "torch.cat([self.class_position, 2 * row_column_positions(self.rows, self.columns)])": (
        "the positions of the patches are added twice", _SUMS),
})
task.edit_places({"self.dropout = ": f"self.at_start = {_PLACES}.detach()\nself.dropout = ",
                  f"= {_PLACES}": "= self.at_start"},
                 "the positions are added up in `__init__`, once: what the parameters become later, by training, does "
                 "not reach `forward`", _TABLE)
task.edit("prepend_class_token(x, self.class_token)", {
    "prepend_class_token(x, 0 * self.class_token)": (
        "`class_token` is not used: position 0 begins with something else", _LINES),
    "torch.cat([x, self.class_token.expand(len(x), -1, -1)], 1)": (
        "the class token stands behind the patches, and gets the position of the last patch; position 0, which is "
        "read, holds a patch", _LINES),
    "prepend_class_token(x, self.class_token) * x.shape[-1] ** 0.5": (
        "the vectors are multiplied by sqrt(d_model) before positions are added, as words are",
        "the task names no factor"),
})
for changed, cause in (
    ("self.dropout(x) + positions", "dropout comes before the positions are added, not after"),
    ("x + self.dropout(positions)", "dropout falls on the positions alone, not on the sum"),
):
    task.edit_places({"self.dropout(x + positions)": changed}, cause, _DROP)
task.edit_places({"self.dropout(x + positions)": "self.dropout((x + positions).roll(-1, 1))"},
                 "the class token stands behind the patches, and position 0, which is read, holds a patch", _LINES)
task.edit("self.dropout(x + positions)", {
    "x + positions": (
        "dropout does not fall on the sum of class token and position: it is missing, or it comes before the class "
        "token stands in front", _DROP),
    "nn.functional.dropout(x + positions, 0.5)": (
        "dropout stays on in evaluation mode, as that of `F.dropout` without `training=self.training`",
        "nn.Dropout layers follow the mode of the model"),
})
_MEAN = ("the mean of all positions is read, not the class token", _READ)
_PATCHES = ("the mean of the patches is read, not the class token", _READ)
task.cancel("self.dropout((x + positions).roll(-1, 1))", "self.head(self.norm(x[:, -1]))")
task.edit("self.head(self.norm(x[:, 0]))", {
    "self.head(self.norm(x).mean(1))": _MEAN, "self.head(self.norm(x.mean(1)))": _MEAN,
    "self.head(self.norm(x)[:, 1:].mean(1))": _PATCHES, "self.head(self.norm(x[:, 1:].mean(1)))": _PATCHES,
    "self.head(self.norm(x[:, -1]))": ("the last position is read, which is the last patch", _READ),
    "self.head(self.norm(x[:, 1]))": ("position 1 is read, which is the first patch", _READ),
    "self.head(self.norm(x).amax(1))": ("the largest number of all positions is read, not the class token", _READ),
    "self.head(self.norm(x))": ("every position is read: there are logits for each patch", _READ),
    "self.head(x[:, 0])": (
        "`norm` exists, but nothing calls it",
        "blocks that normalise first leave the last sum as it is: who normalises it?"),
    "self.head(self.norm(x[:, 0])).softmax(-1)": ("softmax at the end; logits are wanted", _LOSS, "each row sums to 1"),
    "self.head(self.norm(x[:, 0])).log_softmax(-1)": (
        "log_softmax at the end; logits are wanted", _LOSS, "logarithms of probabilities"),
})
task.edit_places({"x = block(x)": "x = self.norm(block(x))", "self.norm(x[:, 0])": "x[:, 0]"},
                 "`norm` is applied after each block, not once after the last one",
                 "how often do the steps of the task name `norm`?")
task.edit(', activation="gelu"', {"": (
    "the blocks bend with ReLU, the default of EncoderBlock; the task says GELU", _FOLLOW)})
task.edit(", norm_first=True", {"": (
    "the blocks normalise after each sublayer, the default of EncoderBlock; the task says norm_first", _FOLLOW)})
task.edit("EncoderBlock(d_model, num_heads, d_ff, dropout", {
    "EncoderBlock(d_model, 1, d_ff, dropout": ("`num_heads` does not reach the blocks", _FOLLOW),
    "EncoderBlock(d_model, num_heads, 2 * d_model, dropout": ("`d_ff` does not reach the blocks", _FOLLOW),
    "EncoderBlock(d_model, num_heads, d_ff, 0.0": ("`dropout` does not reach the blocks", _FOLLOW),
})
task.edit_places({"nn.Dropout(dropout)": "nn.Dropout(0.0)", "d_ff, dropout, act": "d_ff, 0.0, act"},
                 "`dropout` does not reach any layer", _FOLLOW)
task.edit("self.norm = ", {"self.blocks = nn.ModuleList([self.blocks[0]] * num_layers)\nself.norm = ": (
    "the blocks are one object several times, as `[block] * n` makes it: they share their weights", _NEW)})
task.edit("self.blocks = nn.ModuleList(", {"self.blocks = list(": (
    "the blocks are kept in a plain list, which nn.Module does not see",
    "`nn.ModuleList(...)` holds modules that the model shall know of")})
task.edit("for block in self.blocks:", {
    "start = x\nfor block in self.blocks:\n    x = start": (
        "each block reads the embedded patches, not what the block before it returned: only the last one counts",
        "what must the result of a block be called, so that the next one reads it?"),
    "for block in self.blocks[:1]:": (
        "only the first block runs: a `return` inside the loop, or no loop",
        "print something in the loop: how often does it appear?"),
    "for block in reversed(self.blocks):": ("the blocks run in the wrong order, from the last to the first", _LINES),
})
task.edit("x = block(x)", {
    "x = block(x, torch.ones(x.shape[1], x.shape[1]).tril().bool())": (
        "a causal mask: a patch sees only those before it, and the class token itself alone",
        "what does the task say of masks?"),
    "x = x + block(x)": (
        "x is added to what a block returns; the block has added it already",
        "`x + ...` stands inside a block: where, and how often?"),
})
# fmt: on


def made(answer: Any, image_size: int = 6, patch: int = 2, channels: int = 2, num_classes: int = 5,
         train: bool = False, **options: Any) -> Any:  # fmt: skip
    """Make a model with known weights."""
    model = built(answer, image_size, patch, channels, num_classes, **(SIZES | options))
    unwrapped(model).train(train)
    return model


@task.probe("every parameter is there, with its size", "the parameters that the task names, and no other",
            "a layer that is missing, has another name, or is one too many",
            "compare `dict(model.named_parameters()).keys()` with the list in the task")  # fmt: skip
def parameters_are_there(answer):
    """The parameters of a model with 2 blocks."""
    raw = unwrapped(made(answer))
    if type(getattr(raw, "blocks", None)) in (list, tuple):
        return f"blocks is a {type(raw.blocks).__name__}, which nn.Module does not see"
    if isinstance(getattr(raw, "blocks", None), nn.ModuleList) and len({id(each) for each in raw.blocks}) < 2:
        return "the 2 blocks are one object"
    require_parameters(raw, shapes(made(Right)))
    return None


@task.probe("nothing is drawn at random in evaluation mode", "the same logits in every call",
            "dropout stays on in evaluation mode, or something else is drawn at random",
            "nn.Dropout layers follow the mode of the model")  # fmt: skip
def at_random(answer):
    """Two calls in evaluation mode, dropout=0.5."""
    model, images = made(answer, dropout=0.5), Draw("i")(3, 2, 6, 6, dtype=torch.float64)
    return "two calls give different logits" if not torch.equal(model(images), model(images)) else None


@task.probe("positions follow their parameters", "other logits, as after a step of training that changed the positions",
            "the positions are added up in `__init__`, once, or come from other numbers than these parameters",
            _TABLE)  # fmt: skip
def positions_follow(answer):
    """class_position, rows and columns become others after the model was made."""
    model, images = made(answer), Draw("i")(2, 2, 6, 6, dtype=torch.float64)
    raw, before = unwrapped(model), model(images)
    with torch.no_grad():
        for parameter in (raw.class_position, raw.rows, raw.columns):
            parameter.mul_(2)
    return "the logits stay as they were" if torch.equal(model(images), before) else None


def said(answer, images, options):
    """Observe the logits."""
    return made(answer, **options)(images)


def after_others(answer, images, options):
    """Observe the logits of the second of two calls."""
    model = made(answer, **options)
    model(images.flip(0) + 1)
    return model(images)


def learned(answer, images, options):
    """Observe the gradients of the parameters."""
    return parameter_gradients(made(answer, **options), images)


def pictures(batch, image_size=6, channels=2, **options):
    """Draw pictures, and options of the constructor."""
    options |= {"image_size": image_size, "channels": channels}
    return lambda draw: (draw(batch, channels, image_size, image_size, dtype=torch.float64), options)


task.require(
    "the logits are what the class token says after the last norm",
    "patches through `patch`, the class token in front, positions, all blocks, `norm`, and `head` for position 0",
    [Case("2 pictures of 6 x 6, 2 channels, patch 2", pictures(2), said),
     Case("grey pictures, one block", pictures(3, channels=1, num_layers=1), said),
     Case("after a call with other pictures", pictures(2), after_others),
     Case("patch 3, 4 heads", pictures(2, patch=3, num_heads=4), said)],
    [Case("8 x 8, patch 2, 3 channels", pictures(3, 8, 3, d_ff=9), said),
     Case("three blocks", pictures(2, num_layers=3), said),
     Case("one head, 2 classes", pictures(4, num_heads=1, num_classes=2), said),
     Case("as many channels as pixels in a patch", pictures(2, channels=4), said)],
    "compare the lines of `forward` with the steps of the task, one by one",
)  # fmt: skip
task.require(
    "dropout reaches every layer that takes it",
    "with dropout=1 nothing but biases and norms is left, in training",
    [Case("dropout=1, in training", pictures(2, dropout=1.0, train=True), said)],
)
task.require(
    "gradients reach every parameter",
    "the derivative of the logits with respect to every parameter",
    [Case("the gradient", pictures(3), learned)],
    [Case("the gradient, patch 3", pictures(2, patch=3, num_layers=1), learned)],
)


def left_out(answer):
    """Observe what the constructor does where nothing but the sizes of pictures is said."""
    raw = answer(4, 2, 1, 3)
    drops = {module.p for module in unwrapped(raw).modules() if isinstance(module, nn.Dropout)}
    return {"sizes": shapes(raw), "dropout": sorted(drops)}


def not_alike(answer):
    """Observe whether positions and class token start as different numbers."""
    torch.manual_seed(0)
    raw = unwrapped(answer(6, 2, 1, 3))
    rows = [*raw.rows, *raw.columns]
    if any(torch.equal(one, other) for i, one in enumerate(rows) for other in rows[:i]):
        raise Finding("two rows or columns start with the same numbers", "a start at which places differ",
                      "rows and columns start at zero, or at any one number: patches cannot be told apart at first",
                      "`torch.randn` draws a start")  # fmt: skip


def refusing(situation, *shape):
    """Observe whether pictures of another size are refused."""

    def observe(answer):
        return refuses("images")(made(answer), torch.zeros(shape, dtype=torch.float64))

    return Case(situation, (), observe, right=True)


task.limits(
    "one patch, arguments that are left out, and wrong input",
    [
        Case("one patch", pictures(2, 2, patch=2), said),
        Case("patches of one pixel", pictures(2, 3, patch=1), said),
        Case("arguments that are left out", (), left_out),
        Case("the start of rows and columns", (), not_alike, right=None),
        refusing("pictures of another size", 1, 2, 8, 8),
        refusing("pictures with other channels", 1, 3, 6, 6),
        refusal("a patch that does not divide", (6, 4, 1, 3), "patch"),
        refusal("no block", (6, 2, 1, 3, 12, 3, 0), "num_layers"),
    ],
    "what the task says: sizes that fit, one block or more, and a start at which places differ",
)
