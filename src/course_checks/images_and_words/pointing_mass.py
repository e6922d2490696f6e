"""Task `pointing_mass` of exercise 16."""

import torch

from course_checks.cases import Case, drawn, gradients, refusal
from course_checks.images_and_words.shared import UNIT
from course_checks.task import Task

task = Task("pointing_mass", UNIT)
_SUM = "take one word by hand: which of its weights are added?"


@task.oracle
def right(weights, regions):
    """Write the sum out for einsum."""
    return torch.einsum("bhmn,bmn->bhm", weights, regions.to(weights.dtype))


# fmt: off
_EACH = "each head has its own", "there is no dimension for the heads"
_NO_HEADS = ("weights have a dimension for the heads, regions have none",
             "write both shapes below each other, the last dimensions in one line: which ones meet?")
task.edit("weights * regions[:, None]", {
    "weights * ~regions[:, None]": ("the weights outside the region are added", _SUM),
    "weights.masked_fill(~regions[:, None], -torch.inf)": (
        "-inf is put outside the region: that is for scores before a softmax, and weights come after it",
        "what must a weight be that adds nothing?", "a sum with -inf in it"),
    "weights * regions": _NO_HEADS, "weights.masked_fill(~regions, 0.0)": _NO_HEADS,
    "weights * regions[:, None, :1]": ("the region of the first word is used for all words", _SUM)})
task.edit(".sum(dim=-1)", {
    ".mean(dim=-1)": ("the mean over all patches is taken, not the sum", _SUM, "the numbers are too small"),
    ".sum(dim=-1) / regions.sum(-1).clamp(min=1)[:, None]": (
        "the mean over the patches of the region is taken, not the sum", _SUM),
    ".amax(dim=-1)": ("the largest weight in the region is taken, not the sum", _SUM),
    ".sum(dim=-1).mean(dim=1)": ("the heads are averaged", *_EACH),
    ".sum(dim=-1).sum(dim=1)": ("the heads are added up", *_EACH),
    ".sum(dim=-1).mean(dim=1, keepdim=True).expand(weights.shape[:3])": (
        "the heads are averaged, and all of them get the mean", _EACH[0], "all heads have the same mass"),
    ".sum(dim=-1).mT": ("heads and words change places", "compare the shapes", "the shape is (batch, length, heads)")})
task.edit("(weights * regions[:, None]).sum(dim=-1)", {
    "regions[:, None].expand_as(weights).gather(-1, weights.argmax(-1, keepdim=True))[..., 0].to(weights)": (
        "it is said whether the largest weight lies in the region, not how much lies there", _SUM)})
# fmt: on


def weighted(batch, heads, length, patches, dtype=torch.float64):
    """Draw weights and regions."""
    return lambda draw: (
        draw(batch, heads, length, patches, dtype=dtype).softmax(-1), draw.mask(batch, length, patches, share=0.5)
    )  # fmt: skip


def with_empty(draw):
    """Leave the region of a word empty, and give another one all patches."""
    weights, regions = weighted(2, 3, 4, 5)(draw)
    regions[0, 1], regions[1, 2] = False, True
    return weights, regions


task.require("the weights in the region of each word, added up in each head",
    "for each head and word the sum of the weights of the patches in the word's region",
    [Case("2 pictures, 3 heads, 4 words, 6 patches", weighted(2, 3, 4, 6)),
     Case("a word without a region, and one with all patches", with_empty),
     Case("float32", weighted(3, 2, 5, 4, torch.float32))],
    [Case("other sizes", weighted(3, 4, 2, 7)), Case("as many of everything", weighted(4, 4, 4, 4)),
     Case("other regions", with_empty)])  # fmt: skip
task.require("the mass can be trained on", "the derivative of the sum",
    [Case("the gradient of the weights", weighted(2, 3, 4, 6), gradients())],
    [Case("the gradient at other sizes", weighted(3, 2, 5, 4), gradients())])  # fmt: skip
task.limits("one head, one patch, and wrong input",
    [Case("one head and one word", weighted(2, 1, 1, 5)), Case("one patch", weighted(2, 3, 4, 1)),
     refusal("regions of other patches", drawn("1 2 3 4; mask: 1 3 5"), "regions"),
     refusal("regions of numbers", drawn("1 2 3 4; 1 3 4"), "regions"),
     refusal("weights without heads", drawn("1 3 4; mask: 1 3 4"), "weights")])  # fmt: skip
