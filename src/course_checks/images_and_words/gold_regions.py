"""Task `gold_regions` of exercise 16."""

import torch

from course_checks.cases import Case, refusal
from course_checks.images_and_words.shared import UNIT
from course_checks.task import Task
from course_checks.words import Finding

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


# fmt: off
_FIRST, _NOBODY = "which number has the first object?", "what does -1 say about a pixel?"
_OWN = "pixels[:, None] == numbers"
_EARLY = ("the last pixels of each patch, a row or a column, are not looked at: a slice ends one pixel early",
          "print the shape of one patch as you cut it out")
task.edit(f"return ({_OWN}).any(dim=-1)", {f"""found = ({_OWN}).any(dim=-1)
result, rows, columns = torch.zeros_like(found), owner.shape[1] // patch, owner.shape[2] // patch
for k in range(rows * columns):
    result[..., k // columns * rows + k % columns] {put} found[..., k]
return result""": ("the patches are numbered with the number of rows in the place of that of columns: right for square "
                   "pictures alone", "of 2 x 3 patches, which one is number 3: how many stand in a row?")
    for put in ("=", "|=")})
task.edit(f"({_OWN}).any(dim=-1)", {
    f"({_OWN}).all(dim=-1)": ("a patch counts only if the object covers all of it", _ANY),
    f"F.one_hot(({_OWN}).sum(-1).argmax(-1), pixels.shape[1]).bool() & ({_OWN}).any(dim=-1)": (
        "only the patch with the most pixels of an object counts", _ANY),
    f"({_OWN})[..., 0]": ("only one pixel of each patch is looked at", _ANY),
    "pixels.amax(-1)[:, None] == numbers[..., 0]": (
        "each patch is given to one object alone, the last of those with a pixel in it",
        "several objects may share a patch"),
    f"({_OWN})[..., patch // 2 * patch + patch // 2]": (
        "only the pixel in the middle of each patch is looked at", _ANY),
    f"({_OWN}).unflatten(3, (patch, patch))[..., :-1].flatten(3).any(dim=-1)": _EARLY,
    f"({_OWN}).unflatten(3, (patch, patch))[..., :-1, :].flatten(3).any(dim=-1)": _EARLY,
    f"({_OWN}).unflatten(3, (patch, patch))[..., :-1, :-1].flatten(3).any(dim=-1)": _EARLY,
    f"({_OWN}).any(dim=-1).mT": (
        "patches and objects change places", _SHAPE, "the shape is (batch, num_patches, num_objects)"),
    f"({_OWN}).sum(dim=-1)": (
        "pixels are counted", "compare the dtypes", "the result holds numbers, not True and False"),
    f"({_OWN}).any(dim=-1).unflatten(2, (-1, owner.shape[2] // patch))": (
        "rows and columns of patches are two dimensions", "patches are one dimension, row by row",
        "there are four dimensions")})
task.edit("numbers = torch.arange(num_objects)", {
    "numbers = torch.arange(1, num_objects + 1)": ("the objects are numbered from 1", _FIRST),
    "numbers = torch.arange(-1, num_objects - 1)": ("-1 is counted as an object, and moves the others by one", _NOBODY),
    "numbers = owner.unique()[owner.unique() >= 0]": (
        "the objects are looked up in `owner`; an object that is nowhere in these pictures has no row",
        "which line uses `num_objects`?", "the result has other rows than `num_objects`")})
task.edit(f"({_OWN})", {
    f"({_OWN.replace('pixels', 'pixels.remainder(max(num_objects, 1))')})": (
        "pixels of -1 are counted for the last object: as an index, -1 means the last one", _NOBODY),
    f"({_OWN.replace('pixels', 'pixels.clamp(min=0)')})": ("pixels of -1 are counted for object 0", _NOBODY),
    f"(({_OWN}) & (numbers > 0))": (
        "object 0 is lost: `owner > 0`, or a loop that begins at 1; only -1 means that there is none", _FIRST),
    f"({_OWN.replace('==', '>=')})": (
        "`>=` in the place of `==`: an object gets the patches of those after it, too", "each object by itself"),
    "((pixels >= 0)[:, None] & (numbers >= 0))": (
        "every object gets the patches of all objects", "each object by itself")})
task.edit("image_to_patches(owner[:, None], patch)", {
    "image_to_patches(owner.mT[:, None], patch)": ("the patches are numbered column by column", _ORDER),
    "owner.reshape(len(owner), -1, patch * patch)": (
        "the pixels are cut into pieces as they lie in memory, which are strips and no patches", _ORDER)})
# fmt: on


def sparse(batch, height, width, patch, num_objects, share=0.85):
    """Draw owners; this share of the pixels has none."""

    def make(draw):
        owner = draw.integers(0, num_objects, batch, height, width)
        return owner.masked_fill(draw.mask(batch, height, width, share=share), -1), patch, num_objects

    return make


BY_HAND = torch.tensor([[  # objects that lie in one patch, in two, and nowhere
    [0, 0, -1, -1, -1, -1], [0, 0, -1, 1, 1, -1], [-1, -1, -1, -1, -1, -1], [-1, -1, -1, -1, -1, 3]]])  # fmt: skip


def beyond(answer, owner, patch, num_objects):
    """Observe the regions where more objects are in the picture than are asked for."""
    try:
        return answer(owner, patch, num_objects)
    except (IndexError, RuntimeError) as error:
        raise Finding(f"`owner` holds the number {int(owner.max())}, and it raised {type(error).__name__}", "",
                      "the numbers in `owner` are used as an index, and the result has no place for those from "
                      "`num_objects` on", "which pixels count for none of the objects that are asked for?",
                      final=True) from None  # fmt: skip


EXPECTED = "True for each patch that holds at least one pixel of the object, shape (batch, num_objects, num_patches)"
task.require("which patches hold a pixel of which object", EXPECTED,
    [Case("a picture of 4 x 6 pixels, patch = 2", (BY_HAND, 2, 4)), Case("few pixels", sparse(2, 6, 9, 3, 4)),
     Case("3 pictures of 4 x 8 pixels, patch = 2", sparse(3, 4, 8, 2, 5))],
    [Case("other pictures", sparse(2, 8, 4, 2, 3)), Case("square pictures", sparse(4, 6, 6, 3, 6)),
     Case("few patches", sparse(2, 4, 8, 4, 3, 0.25))],
    "print owner[0], and under it the patches of object 0")  # fmt: skip
task.limits("one pixel a patch, one patch, an object that is nowhere, fewer objects than there are, and wrong input",
    [Case("patch = 1", sparse(2, 3, 4, 1, 2)), Case("one patch", sparse(2, 4, 4, 4, 2, 0.33)),
     Case("an object that is nowhere", (torch.full((1, 2, 4), -1), 2, 2)),
     Case("num_objects = 2, and a pixel of object 3", (BY_HAND, 2, 2), beyond),
     refusal("a single picture without a batch", (torch.zeros(4, 4).long(), 2, 1), "owner"),
     refusal("floating-point owners", (torch.zeros(1, 4, 4), 2, 1), "owner"),
     refusal("a patch that does not divide", (torch.zeros(1, 4, 4).long(), 3, 1), "patch")])  # fmt: skip
