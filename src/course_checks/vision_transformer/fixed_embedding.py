"""Task `fixed_embedding` of exercise 15: three bugs to find."""

import torch

from course_checks.cases import Case, gradients
from course_checks.task import Task
from course_checks.vision_transformer.shared import CUT, PLACES, UNIT, embed_by_convolution, right_places

task = Task("fixed_embedding", UNIT)
_TOKEN = "set `weight`, `bias` and `token` to zero: what is left at position 0 of the result, and at position 1?"


@task.oracle
def right(images, patch, weight, bias, token, rows, columns):
    """Embed by a convolution, add place by place, make room in front."""
    x = embed_by_convolution(images, weight, bias, patch) + right_places(rows, columns)
    return torch.cat([token.repeat(len(images), 1, 1), x], 1)


# fmt: off
_FIX = "fix the lines, do not leave them out"
_UNFOLDED = "F.unfold(images, patch, stride=patch).transpose(1, 2)"
_SPLIT = ("images.unflatten(-2, (-1, patch)).unflatten(-1, (-1, patch)).permute(0, 2, 4, 1, 3, 5)"
          ".flatten(1, 2).flatten(2)")  # batch, patches, numbers of a patch
task.edit(_UNFOLDED, {
    "images.reshape(len(images), -1, weight.shape[1])": CUT["viewed"],
    _SPLIT.replace("(-1, patch)", "(patch, -1)").replace("0, 2, 4, 1, 3, 5", "0, 3, 5, 1, 2, 4"): CUT["spread"],
    f"{_UNFOLDED}.mT.reshape(len(images), -1, weight.shape[1])": (
        "what `unfold` returns, (batch, numbers of a patch, num_patches), is brought into the other shape by "
        "`reshape`: no dimension is moved",
        "let `unfold` cut a picture of the numbers 0 to 15, and print it: is a patch a row of it?"),
    _SPLIT.replace("0, 2, 4, 1, 3, 5", "0, 4, 2, 1, 3, 5"): CUT["columns first"],
    f"{_UNFOLDED}.flip(1)": CUT["backwards"],
    _SPLIT.replace("0, 2, 4, 1, 3, 5", "0, 2, 4, 3, 5, 1"): CUT["channel last"],
    _SPLIT.replace("0, 2, 4, 1, 3, 5", "0, 2, 4, 1, 5, 3"): CUT["turned"],
})
task.edit("(rows[:, None] + columns).flatten(end_dim=1)", PLACES | {
    "(0 * rows[:, None] + 0 * columns).flatten(end_dim=1)": ("the positions are no longer added", _FIX)})
task.edit("F.pad(positions, (0, 0, 1, 0))", {
    "F.pad(positions, (0, 0, 0, 1))": (
        "every patch gets the position of its right neighbour, and the class token that of the first patch: the row "
        "without a position stands at the wrong end", _TOKEN),
    "torch.cat([positions[:1], positions])": (
        "the position of the first patch is added to the class token too", _TOKEN),
    "F.pad(positions, (0, 0, 1, 0)) + F.pad(bias[None], (0, 0, 0, len(positions)))": (
        "`bias` is added to the class token too, which does not go through the linear layer",
        "set all arguments but `bias` to zero: what is left at position 0?"),
})
task.edit("x + F.pad", {"(x + F.pad(positions, (0, 0, 1, 0))).roll(-1, 1) + 0 * F.pad": (
    "the class token stands behind the patches", "position 0 is that of the class token")})
task.edit("return x + F.pad(positions, (0, 0, 1, 0))", {"return x[:, 1:] + positions": (
    "there is no class token", _FIX)})
task.edit("F.linear(patches, weight, bias)", {
    "F.linear(patches, weight, bias) + token": (
        "the class token is added to every patch, too", "set all arguments but `token` to zero: where does it stand?"),
    "F.linear(patches, weight)": ("`bias` is no longer added", _FIX)})
task.edit_places({_UNFOLDED: f"{_UNFOLDED}.mT.reshape(len(images), -1, weight.shape[1])",
                  "(rows[:, None] + columns)": "(rows + columns[:, None])", "(0, 0, 1, 0)": "(0, 0, 0, 1)"},
                 "the function is as it was: all three wrong lines are still in it",
                 "begin with the one that is easy to see: " + _TOKEN)
# fmt: on


def parts(batch, channels, tall, wide, patch, d_model):
    """Draw pictures and parameters."""

    def make(draw):
        images = draw(batch, channels, tall * patch, wide * patch, dtype=torch.float64)
        weight = draw(d_model, channels * patch**2, dtype=torch.float64)
        rest = [draw(*shape, dtype=torch.float64) for shape in ((d_model,), (1, 1, d_model), (tall, d_model),
                                                                (wide, d_model))]  # fmt: skip
        return images, patch, weight, *rest

    return make


task.require(
    "token, patches and places are where they belong",
    "position 0: the token alone; after it each patch through the linear layer, plus its row, plus its column",
    [Case("1 grey picture of 2 x 3 patches", parts(1, 1, 2, 3, 2, 4)),
     Case("2 colour pictures of 3 x 3 patches", parts(2, 3, 3, 3, 2, 5)),
     Case("the gradient", parts(2, 2, 2, 2, 2, 3), gradients())],
    [Case("tall pictures", parts(2, 2, 4, 2, 3, 6)), Case("wide pictures", parts(3, 1, 2, 5, 2, 4)),
     Case("patches of one pixel", parts(2, 3, 3, 2, 1, 4))],
)  # fmt: skip
