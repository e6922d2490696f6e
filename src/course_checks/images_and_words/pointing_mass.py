"""Task `pointing_mass` of exercise 16."""

import torch

from course_checks.cases import Case, gradients, refusal
from course_checks.images_and_words.shared import UNIT
from course_checks.task import Task
from course_checks.words import Wrong

task = Task("pointing_mass", UNIT)
_SUM = "take one word by hand: which of its weights are added?"


@task.oracle
def right(weights, regions):
    """Write the sum out for einsum."""
    return torch.einsum("bhmn,bmn->bhm", weights, regions.to(weights.dtype))


@task.pipeline(
    region={
        "inverted": Wrong("the weights outside the region are added", "", _SUM),
        "minus infinity": Wrong("-inf is put outside the region: that is for scores before a softmax, and weights come "
                                "after it", "a sum with -inf in it", "what must a weight be that adds nothing?"),
        "of the first word": Wrong("the region of the first word is used for all words", "", _SUM),
    },
    sum={
        "mean": Wrong("the mean over all patches is taken, not the sum", "the numbers are too small", _SUM),
        "mean of the region": Wrong("the mean over the patches of the region is taken, not the sum", "", _SUM),
        "largest": Wrong("the largest weight in the region is taken, not the sum", "", _SUM),
        "hit": Wrong("it is said whether the largest weight lies in the region, not how much lies there", "", _SUM),
    },
    heads={
        "mean": Wrong("the heads are averaged", "there is no dimension for the heads", "each head has its own"),
        "sum": Wrong("the heads are added up", "there is no dimension for the heads", "each head has its own"),
        "last": Wrong("heads and words change places", "the shape is (batch, length, heads)", "compare the shapes"),
    },
)  # fmt: skip
def pointing_mass(weights, regions, *, region="own", sum="weights", heads="each"):
    """Measure with one choice for each step."""
    inside = {"inverted": ~regions, "of the first word": regions[:, :1].expand_as(regions)}.get(region, regions)
    inside = inside[:, None].expand_as(weights)
    kept = weights.masked_fill(~inside, -torch.inf) if region == "minus infinity" else weights * inside
    found = {
        "mean": lambda: kept.mean(-1),
        "mean of the region": lambda: kept.sum(-1) / inside.sum(-1).clamp(min=1),
        "largest": lambda: kept.amax(-1),
        "hit": lambda: inside.gather(-1, weights.argmax(-1, keepdim=True))[..., 0].to(weights.dtype),
    }.get(sum, lambda: kept.sum(-1))()
    return {
        "mean": lambda: found.mean(1), "sum": lambda: found.sum(1), "last": lambda: found.transpose(1, 2),
    }.get(heads, lambda: found)()  # fmt: skip


def drawn(batch, heads, length, patches, dtype=torch.float64, share=0.5):
    """Draw weights and regions."""
    return lambda draw: (
        draw(batch, heads, length, patches, dtype=dtype).softmax(-1), draw.mask(batch, length, patches, share=share)
    )  # fmt: skip


def with_empty(draw):
    """Leave the region of a word empty, and give another one all patches."""
    weights, regions = drawn(2, 3, 4, 5)(draw)
    regions[0, 1], regions[1, 2] = False, True
    return weights, regions


task.require(
    "the weights in the region of each word, added up in each head",
    "for each head and word the sum of the weights of the patches in the word's region",
    [Case("2 pictures, 3 heads, 4 words, 6 patches", drawn(2, 3, 4, 6)),
     Case("a word without a region, and one with all patches", with_empty),
     Case("float32", drawn(3, 2, 5, 4, torch.float32))],
    [Case("other sizes", drawn(3, 4, 2, 7)), Case("as many of everything", drawn(4, 4, 4, 4)),
     Case("other regions", with_empty)],
)  # fmt: skip
task.require(
    "the mass can be trained on",
    "the derivative of the sum",
    [Case("the gradient of the weights", drawn(2, 3, 4, 6), gradients())],
    [Case("the gradient at other sizes", drawn(3, 2, 5, 4), gradients())],
)
task.limits(
    "one head, one patch, and wrong input",
    [
        Case("one head and one word", drawn(2, 1, 1, 5)),
        Case("one patch", drawn(2, 3, 4, 1)),
        refusal("regions of other patches",
                lambda draw: (torch.ones(1, 2, 3, 4), torch.ones(1, 3, 5, dtype=torch.bool)), "regions"),
        refusal("regions of numbers", lambda draw: (torch.ones(1, 2, 3, 4), torch.ones(1, 3, 4)), "regions"),
        refusal("weights without heads",
                lambda draw: (torch.ones(1, 3, 4), torch.ones(1, 3, 4, dtype=torch.bool)), "weights"),
    ],
)  # fmt: skip
