"""Task `gold_regions` of exercise 16."""

import torch
from torch.nn import functional as F

from course_checks.cases import Case, refusal
from course_checks.images_and_words.shared import UNIT
from course_checks.task import Task
from course_checks.words import Wrong

task = Task("gold_regions", UNIT)

_ORDER = "number the pixels of a 4 x 4 picture, cut it into patches of 2, and print them"
_ANY = "one pixel of the object is enough"
_SHAPE = "objects come before patches"


@task.oracle
def right(owner, patch, num_objects):
    """Go through pictures, objects and patches."""
    batch, height, width = owner.shape
    corners = [(y, x) for y in range(0, height, patch) for x in range(0, width, patch)]
    found = [
        [[bool((picture[y : y + patch, x : x + patch] == number).any()) for y, x in corners]
         for number in range(num_objects)] for picture in owner
    ]  # fmt: skip
    return torch.tensor(found, dtype=torch.bool).reshape(batch, num_objects, len(corners))


@task.pipeline(
    pixels={
        "all": Wrong("a patch counts only if the object covers all of it", "", _ANY),
        "most": Wrong("only the patch with the most pixels of an object counts", "", _ANY),
        "corner": Wrong("only one pixel of each patch is looked at", "", _ANY),
        "one owner": Wrong("each patch is given to one object alone, the last of those with a pixel in it", "",
                           "several objects may share a patch"),
        "centre": Wrong("only the pixel in the middle of each patch is looked at", "", _ANY),
    },
    number={
        "from 1": Wrong("the objects are numbered from 1", "", "which number has the first object?"),
        "from -1": Wrong("-1 is counted as an object, and moves the others by one", "",
                         "what does -1 say about a pixel?"),
        "wrapped": Wrong("pixels of -1 are counted for the last object: as an index, -1 means the last one", "",
                         "what does -1 say about a pixel?"),
        "clamped": Wrong("pixels of -1 are counted for object 0", "", "what does -1 say about a pixel?"),
        "object 0": Wrong("object 0 is lost: `owner > 0`, or a loop that begins at 1; only -1 means that there is none",
                          "",
                          "which number has the first object?"),
        "at least": Wrong("`>=` in the place of `==`: an object gets the patches of those after it, too", "",
                          "each object by itself"),
        "any": Wrong("every object gets the patches of all objects", "", "each object by itself"),
    },
    order={
        "columns": Wrong("the patches are numbered column by column", "", _ORDER),
        "strips": Wrong("the pixels are cut into pieces as they lie in memory, which are strips and no patches", "",
                        _ORDER),
    },
    shape={
        "patches first": Wrong("patches and objects change places", "the shape is (batch, num_patches, num_objects)",
                               _SHAPE),
        "counted": Wrong("pixels are counted", "the result holds numbers, not True and False", "compare the dtypes"),
        "grid": Wrong("rows and columns of patches are two dimensions", "there are four dimensions",
                      "patches are one dimension, row by row"),
    },
)  # fmt: skip
def gold_regions(owner, patch, num_objects, *, pixels="any", number="equal", order="rows", shape="right"):
    """Find the regions with one choice for each step."""
    batch, height, width = owner.shape
    cut = owner.unfold(1, patch, patch).unfold(2, patch, patch)  # (batch, rows, columns, patch, patch)
    rows, columns = cut.shape[1:3]
    cut = cut.transpose(1, 2) if order == "columns" else cut
    pieces = cut.reshape(batch, rows * columns, patch * patch)
    if order == "strips":
        pieces = owner.reshape(batch, rows * columns, patch * patch)
    pieces = pieces.clamp(min=0) if number == "clamped" else pieces
    pieces = pieces % num_objects if number == "wrapped" and num_objects else pieces
    pieces = pieces[:, None]  # (batch, 1, patches, pixels)
    numbers = torch.arange(num_objects)[:, None, None] + {"from 1": 1, "from -1": -1}.get(number, 0)
    own = {"at least": lambda: pieces >= numbers, "any": lambda: (pieces >= 0) & (numbers >= 0)}.get(
        number, lambda: pieces == numbers
    )()
    own = own & (numbers > 0) if number == "object 0" else own
    count = own.sum(-1)
    found = {
        "all": lambda: own.all(-1),
        "most": lambda: (F.one_hot(count.argmax(-1), rows * columns) > 0) & (count > 0),
        "one owner": lambda: (own & (pieces == pieces.amax(-1, keepdim=True))).any(-1),
        "corner": lambda: own[..., 0],
        "centre": lambda: own[..., (patch // 2) * patch + patch // 2],
    }.get(pixels, lambda: own.any(-1))()
    return {
        "patches first": lambda: found.transpose(1, 2),
        "counted": lambda: found * count,
        "grid": lambda: found.unflatten(2, (rows, columns)),
    }.get(shape, lambda: found)()


@task.mistake("the objects are looked up in `owner`; an object that is nowhere in these pictures has no row",
              "the result has other rows than `num_objects`", "which line uses `num_objects`?")  # fmt: skip
def those_there(owner, patch, num_objects):
    """Look for the numbers that occur."""
    return right(owner, patch, num_objects)[:, [number for number in owner.unique().tolist() if number >= 0]]


def drawn(batch, height, width, patch, num_objects):
    """Draw owners."""
    return lambda draw: (draw.integers(-1, num_objects, batch, height, width), patch, num_objects)


def sparse(batch, height, width, patch, num_objects):
    """Draw owners of few pixels."""

    def make(draw):
        owner = draw.integers(0, num_objects, batch, height, width)
        return owner.masked_fill(draw.mask(batch, height, width, share=0.85), -1), patch, num_objects

    return make


def by_hand(draw):
    """Give a picture whose objects lie in one patch, in two, and nowhere."""
    picture = [[0, 0, -1, -1, -1, -1], [0, 0, -1, 1, 1, -1], [-1, -1, -1, -1, -1, -1], [-1, -1, -1, -1, -1, 3]]
    return torch.tensor([picture]), 2, 4


EXPECTED = "True for each patch that holds at least one pixel of the object, shape (batch, num_objects, num_patches)"
task.require(
    "which patches hold a pixel of which object",
    EXPECTED,
    [Case("a picture of 4 x 6 pixels, patch = 2", by_hand), Case("few pixels", sparse(2, 6, 9, 3, 4)),
     Case("3 pictures of 4 x 8 pixels, patch = 2", sparse(3, 4, 8, 2, 5))],
    [Case("other pictures", sparse(2, 8, 4, 2, 3)), Case("square pictures", sparse(4, 6, 6, 3, 6)),
     Case("few patches", drawn(2, 4, 8, 4, 3))],
    "print owner[0], and under it the patches of object 0",
)  # fmt: skip
task.limits(
    "one pixel a patch, one patch, an object that is nowhere, and wrong input",
    [
        Case("patch = 1", sparse(2, 3, 4, 1, 2)),
        Case("one patch", drawn(2, 4, 4, 4, 2)),
        Case("an object that is nowhere", lambda draw: (torch.full((1, 2, 4), -1), 2, 2)),
        refusal("a single picture without a batch", lambda draw: (torch.zeros(4, 4).long(), 2, 1), "owner"),
        refusal("floating-point owners", lambda draw: (torch.zeros(1, 4, 4), 2, 1), "owner"),
        refusal("a patch that does not divide", lambda draw: (torch.zeros(1, 4, 4).long(), 3, 1), "patch"),
    ],
)
