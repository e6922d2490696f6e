"""Task `combine_masks` of exercise 06."""

import functools

import torch

from course_checks.cases import Case, refusal
from course_checks.masking.shared import READY_MADE, TRUE, UNIT
from course_checks.task import Task
from course_checks.words import Finding, Wrong

task = Task("combine_masks", UNIT, READY_MADE)

_EVERY = "work out one entry of two masks by hand: a query may attend to a key only if every mask lets it"
_LOOP, _LEAVE_OUT = "loop over all masks, and return after the loop", "leave out the None entries, and combine the rest"


@task.oracle
def right(*masks):
    """Broadcast what is there, stack it, and ask for all."""
    there = [mask for mask in masks if mask is not None]
    return torch.stack(torch.broadcast_tensors(*there)).all(0) if there else None


@task.pipeline(
    join={
        "or": Wrong("the masks are combined with `or` (`|`, or a sum) in the place of `and`",
                    "what one of the masks allows is allowed", _EVERY),
        "xor": Wrong("the masks are combined with `^` (exclusive or), or compared, in the place of `and`", "", _EVERY),
        "nor": Wrong("the masks are taken for the other way round (True = hide), and the result is turned around",
                     "True stands where every mask says False", TRUE),
        "nand": Wrong("the result is turned around at the end", "the result is inverted", TRUE),
        "stack": Wrong("the masks are stacked before they have one shape", "",
                       "`&` broadcasts by itself; `torch.stack` wants equal shapes"),
    },
    used={
        "first": Wrong("only the first mask is used", "the result is the first mask alone", _LOOP),
        "last": Wrong("only the last mask is used: each takes the place of the one before",
                      "the result is the last mask alone", _LOOP),
        "two": Wrong("only two masks are combined, or the loop returns inside", "the third mask has no effect", _LOOP),
    },
    none={
        "spreads": Wrong("one None makes the whole result None", "it returned None", _LEAVE_OUT),
        "hides": Wrong("None is taken for `nothing is allowed`", "nothing is allowed", _LEAVE_OUT),
        "ends": Wrong("the loop ends at the first None", "masks after a None have no effect",
                      "`continue` goes on with the next mask, `break` does not"),
        "truth": Wrong("a mask is asked for its truth (`if mask`), as if it were a single boolean", "",
                       "ask whether it is None: `mask is not None`"),
    },
)  # fmt: skip
def combine_masks(*masks, join="and", used="all", none="left out"):
    """Combine with one choice for each step."""
    masks = masks[: masks.index(None)] if none == "ends" and None in masks else masks
    there = [mask for mask in masks if (mask if none == "truth" else mask is not None)]
    if not there or (none == "spreads" and len(there) < len(masks)):
        return None
    if none == "hides" and len(there) < len(masks):
        there.append(torch.zeros_like(there[0]))
    if join == "stack":
        return torch.stack(there).all(0)
    chosen = {"first": there[:1], "last": there[-1:], "two": there[:2]}.get(used, there)
    joins = {"or": torch.logical_or, "xor": torch.logical_xor, "nor": lambda x, y: ~(x | y),
             "nand": lambda x, y: ~(x & y)}  # fmt: skip
    return functools.reduce(joins.get(join, lambda x, y: x & y), chosen)


def nothing_left(answer, *masks):
    """Observe the result where there is no mask; a mask of any shape would be made up."""
    if answer(*masks) is not None:
        raise Finding(
            "it returned something, though there is no mask", "None, which stands for `everything is allowed`",
            "a mask is made up where there is none: its shape cannot be known",
            "start with None, and let the first mask take its place",
        )  # fmt: skip


def masks(*shapes):
    """Draw a mask of each shape; None stays None."""
    return lambda draw: tuple(shape and draw.mask(*shape) for shape in shapes)


EXPECTED = "a key is allowed only if every mask allows it, in the shape to which all of them broadcast"
task.require(
    "a key is allowed only if every mask allows it",
    EXPECTED,
    [Case("two masks of shape (4, 6)", masks((4, 6), (4, 6))),
     Case("three masks of shape (4, 6)", masks((4, 6), (4, 6), (4, 6)))],
    [Case("two masks", masks((3, 5), (3, 5))), Case("one mask", masks((4, 3))),
     Case("four masks", masks((2, 5, 4), (2, 5, 4), (2, 5, 4), (2, 5, 4)))],
)  # fmt: skip
task.require(
    "masks that broadcast",
    EXPECTED,
    [Case("masks of shapes (2, 1, 1, 7) and (5, 7)", masks((2, 1, 1, 7), (5, 7))),
     Case("masks of shapes (5, 7), (2, 1, 1, 7) and (3, 1, 7)", masks((5, 7), (2, 1, 1, 7), (3, 1, 7)))],
    [Case("padding and causal", masks((3, 1, 1, 5), (5, 5))),
     Case("four masks of different shapes", masks((2, 1, 4, 6), (6,), (3, 1, 1), (4, 1))),
     Case("as many examples as heads", masks((3, 1, 1, 3), (3, 3, 3), (3, 3)))],
)  # fmt: skip
task.require(
    "None entries are left out",
    f"{EXPECTED}; None allows everything",
    [Case("None between two masks", masks((3, 1, 1, 6), None, (4, 6))), Case("a mask and None", masks((4, 6), None)),
     Case("None and two masks", masks(None, (4, 6), (4, 6)))],
    [Case("None in all places", masks(None, (2, 1, 1, 5), None, None, (3, 5), None)),
     Case("None and one mask", masks(None, (2, 3)))],
)  # fmt: skip
task.require(
    "None where there is no mask at all",
    "None",
    [Case("None alone", (None,), nothing_left, right=None), Case("no argument", (), nothing_left, right=None)],
    [Case("nothing but None", (None,) * 3, nothing_left, right=None)],
)
task.limits(
    "masks of one entry, and wrong input",
    [
        Case("masks of one entry", masks((1,), (1, 1))),
        refusal("a mask of numbers", lambda draw: (draw.mask(4, 5), torch.ones(4, 5)), "masks"),
        refusal("a list", lambda draw: (draw.mask(4, 2), [True, False]), "masks"),
        refusal("shapes that do not broadcast", masks((4, 5), (5, 4)), "masks"),
    ],
)
