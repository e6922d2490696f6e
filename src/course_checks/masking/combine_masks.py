"""Task `combine_masks` of exercise 06."""

import torch

from course_checks.cases import Case, drawn, refusal
from course_checks.masking.shared import READY_MADE, TRUE, UNIT
from course_checks.task import Task
from course_checks.words import Finding

task = Task("combine_masks", UNIT, READY_MADE)

_EVERY = "work out one entry of two masks by hand: a query may attend to a key only if every mask lets it"
_LOOP, _LEAVE_OUT = "loop over all masks, and return after the loop", "leave out the None entries, and combine the rest"


@task.oracle
def right(*masks):
    """Broadcast what is there, stack it, and ask for all."""
    there = [mask for mask in masks if mask is not None]
    return torch.stack(torch.broadcast_tensors(*there)).all(0) if there else None


# fmt: off
task.edit("combined & mask", {
    "combined | mask": ("the masks are combined with `or` (`|`, or a sum) in the place of `and`", _EVERY,
        "what one of the masks allows is allowed"),
    "combined ^ mask": ("the masks are combined with `^` (exclusive or), or compared, in the place of `and`", _EVERY),
    "combined": ("only the first mask is used", _LOOP, "the result is the first mask alone"),
    "mask": ("only the last mask is used: each takes the place of the one before", _LOOP,
        "the result is the last mask alone"),
})
task.edit("return combined", {
    "return None if combined is None else ~combined": (
        "the result is turned around at the end", TRUE, "the result is inverted"),
    "return None if combined is None else torch.stack([mask for mask in masks if mask is not None]).all(0)": (
        "the masks are stacked before they have one shape",
        "`&` broadcasts by itself; `torch.stack` wants equal shapes"),
})
task.edit_places({"combined & mask": "combined | mask", "return combined": "return combined if combined is None else ~"
                  "combined"}, "the masks are taken for the other way round (True = hide), and the result is turned "
                 "around", TRUE, "True stands where every mask says False")
task.edit("in masks:", {"in [mask for mask in masks if mask is not None][:2]:": (
    "only two masks are combined, or the loop returns inside", _LOOP, "the third mask has no effect")})
task.edit("continue", {
    "return None": ("one None makes the whole result None", _LEAVE_OUT, "it returned None"),
    "mask = torch.tensor(False)": (
        "None is taken for `nothing is allowed`, or counted as one more mask that must allow",
        "leave out the None entries, also where masks are counted, and combine the rest", "nothing is allowed"),
    "break": ("the loop ends at the first None", "`continue` goes on with the next mask, `break` does not",
              "masks after a None have no effect"),
})
task.edit("if mask is None:", {"if not mask:": (
    "a mask is asked for its truth (`if mask`), as if it were a single boolean",
    "ask whether it is None: `mask is not None`")})
# fmt: on


def nothing_left(answer, *masks):
    """Observe the result where there is no mask; a mask of any shape would be made up."""
    if answer(*masks) is not None:
        raise Finding(
            "it returned something, though there is no mask", "None, which stands for `everything is allowed`",
            "a mask is made up where there is none: its shape cannot be known",
            "start with None, and let the first mask take its place",
        )  # fmt: skip


EXPECTED = "a key is allowed only if every mask allows it, in the shape to which all of them broadcast"
task.require("a key is allowed only if every mask allows it", EXPECTED,
             [Case("two masks of shape (4, 6)", drawn("mask: 4 6; mask: 4 6")),
              Case("three masks of shape (4, 6)", drawn("mask: 4 6; mask: 4 6; mask: 4 6"))],
             [Case("two masks", drawn("mask: 3 5; mask: 3 5")), Case("one mask", drawn("mask: 4 3")),
              Case("four masks", drawn("mask: 2 5 4; mask: 2 5 4; mask: 2 5 4; mask: 2 5 4"))])  # fmt: skip
task.require(
    "masks that broadcast",
    EXPECTED,
    [Case("masks of shapes (2, 1, 1, 7) and (5, 7)", drawn("mask: 2 1 1 7; mask: 5 7")),
     Case("masks of shapes (5, 7), (2, 1, 1, 7) and (3, 1, 7)", drawn("mask: 5 7; mask: 2 1 1 7; mask: 3 1 7"))],
    [Case("padding and causal", drawn("mask: 3 1 1 5; mask: 5 5")),
     Case("four masks of different shapes", drawn("mask: 2 1 4 6; mask: 6; mask: 3 1 1; mask: 4 1")),
     Case("as many examples as heads", drawn("mask: 3 1 1 3; mask: 3 3 3; mask: 3 3"))],
)  # fmt: skip
task.require("None entries are left out", f"{EXPECTED}; None allows everything",
             [Case("None between two masks", drawn("mask: 3 1 1 6; None; mask: 4 6")),
              Case("a mask and None", drawn("mask: 4 6; None")),
              Case("None and two masks", drawn("None; mask: 4 6; mask: 4 6"))],
             [Case("None in all places", drawn("None; mask: 2 1 1 5; None; None; mask: 3 5; None")),
              Case("None and one mask", drawn("None; mask: 2 3"))])  # fmt: skip
task.require("None where there is no mask at all", "None",
             [Case("None alone", (None,), nothing_left, right=None), Case("no argument", (), nothing_left, right=None)],
             [Case("nothing but None", (None,) * 3, nothing_left, right=None)])  # fmt: skip
task.limits("masks of one entry, and wrong input",
            [Case("masks of one entry", drawn("mask: 1; mask: 1 1")),
             refusal("a mask of numbers", drawn("mask: 4 5; 4 5"), "masks"),
             refusal("a list", drawn("mask: 4 2", [True, False]), "masks"),
             refusal("shapes that do not broadcast", drawn("mask: 4 5; mask: 5 4"), "masks")])  # fmt: skip
