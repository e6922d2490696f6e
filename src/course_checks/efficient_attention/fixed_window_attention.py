"""Task `fixed_window_attention` of exercise 17: two bugs to find."""

import torch

from course_checks.cases import Case, Draw, drawn
from course_checks.efficient_attention.shared import UNIT, plain
from course_checks.task import Task
from transformer_course.common.memory import Memory

task = Task("fixed_window_attention", UNIT)

_FIRST = "with window 4, take the block of queries 8 to 11: which keys does query 8 see, and which does `first` leave?"
_PLACES = "print `back` for the second block: how far does the key `first` lie behind the query `start`?"


@task.oracle
def right(query, key, value, window, block_size=64):
    """Attend to everything under the mask of the window."""
    length = query.shape[-2]
    mask = torch.tensor([[i - window < j <= i for j in range(length)] for i in range(length)])
    return plain(query, key, value, mask)


# fmt: off
_BACK = "torch.arange(start, stop).unsqueeze(1) - torch.arange(first, stop)"
_TWO = "which two comparisons does the mask need?"
task.edit("max(0, start - window + 1)", {
    "max(0, stop - window)": (
        "the first key is still counted from the last query of a block: its first queries see less far back", _FIRST),
    "max(0, stop - window + 1)": ("the first key is still counted from the last query of a block", _FIRST),
    "max(0, min(start, start - window + 2))": (
        "the first key of a block is one too late: the first query of the block loses its farthest key", _FIRST),
    "start": ("a block of queries sees its own block of keys alone", _FIRST),
    "0": ("every block looks at all keys from the beginning: the result is right, but the cost grows with the square "
          "of the length", _FIRST)})
task.edit(_BACK, {
    "torch.arange(stop - start).unsqueeze(1) - torch.arange(stop - first)": ("the distance between a query and a key "
        "is still counted from the beginning of their slices, which begin at different positions", _PLACES),
    "torch.arange(stop - start).unsqueeze(1) - torch.arange(stop - first) + first": (
        "the beginning of the slice is added on the wrong side: it moves the keys back, not forward", _PLACES),
    "torch.arange(first, stop) - torch.arange(start, stop).unsqueeze(1)": ("`back` is the position of the key minus "
        "that of the query: it has the wrong sign", "a key that lies behind the query has a positive `back`")})
task.edit("torch.arange(first, stop)", {
    "torch.arange(stop - first)": (
        "the queries are counted from the beginning of the text, the keys from the beginning of their slice", _PLACES)})
task.edit("torch.arange(start, stop)", {
    "torch.arange(stop - start)": (
        "the keys are counted from the beginning of the text, the queries from the beginning of their slice", _PLACES),
    "torch.arange(first, first + stop - start)": (
        "queries are placed at the first key of the slice, not at their own position", _PLACES)})
task.edit("(back >= 0) & (back < window)", {
    "back >= 0": ("the window has no end inside a block", _TWO),
    "(back > 0) & (back < window)": ("a query does not see its own position", "the own position counts"),
    "back.abs() < window": ("the future is no longer hidden", _TWO),
    "(back >= 0) & (back <= window)": ("the window is one position too long", "the own position counts")})
# fmt: on


def text(length, *sizes, leading=""):
    """Draw positions, with the size of the window and of the blocks."""
    return drawn(f"{leading} {length} 4; {leading} {length} 4; {leading} {length} 3", *sizes, dtype=torch.float64)


EXPECTED = "attention of every position to itself and the window - 1 positions before it"
task.require(
    "one block",
    EXPECTED,
    [Case("6 positions, window 3, blocks of 8", text(6, 3, 8, leading="2"))],
    [Case("a window as long as the text", text(7, 7, 9))],
)
task.require(
    "several blocks, whatever their size",
    EXPECTED,
    [Case("12 positions, window 4, blocks of 4", text(12, 4, 4)),
     Case("11 positions, window 3, blocks of 4", text(11, 3, 4, leading="2")),
     Case("12 positions, window 5, blocks of 2", text(12, 5, 2)),
     Case("10 positions, window 1, blocks of 3", text(10, 1, 3)),
     Case("150 positions, window 10, block_size left out", text(150, 10, leading="2"))],
    [Case("other sizes", text(23, 6, 5, leading="2 2")), Case("a window longer than the text", text(9, 30, 4)),
     Case("many positions", text(200, 64))],
    _FIRST,
)  # fmt: skip


@task.probe("the cost is linear in the length", "four times as much for a text that is four times as long",
            "all scores are computed, or all to the left, and most of them hidden: a block of queries should meet only "
            "the keys that one of its queries can see", _FIRST)  # fmt: skip
def cost_of(answer):
    """256 and 1,024 positions, window 16, blocks of 16."""
    made = []
    for length in (256, 1024):
        leaves = drawn(f"{length} 4; {length} 4; {length} 3")(Draw("cost"))
        with torch.no_grad(), Memory(*leaves) as memory:
            answer(*leaves, 16, 16)
        made.append(memory.made)
    if made[1] > 6 * made[0]:
        return f"for a text that is 4 times as long, {made[1] / made[0]:.0f} times as many numbers are made"
    return None
