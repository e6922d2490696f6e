"""Task `fixed_window_attention` of exercise 17: two bugs to find."""

import math

import torch

from course_checks.cases import Case, Draw
from course_checks.efficient_attention.shared import UNIT, plain
from course_checks.task import Task
from course_checks.words import Wrong
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


@task.pipeline(
    first={
        "last query": Wrong("the first key is still counted from the last query of a block: its first queries see less "
                            "far back", "", _FIRST),
        "last query, one earlier": Wrong("the first key is still counted from the last query of a block", "", _FIRST),
        "one late": Wrong("the first key of a block is one too late: the first query of the block loses its farthest "
                          "key", "", _FIRST),
        "block": Wrong("a block of queries sees its own block of keys alone", "", _FIRST),
        "everything": Wrong("every block looks at all keys from the beginning: the result is right, but the cost grows "
                            "with the square of the length", "", _FIRST),
    },
    places={
        "in the slices": Wrong("the distance between a query and a key is still counted from the beginning of their "
                               "slices, which begin at different positions", "", _PLACES),
        "keys in the slice": Wrong("the queries are counted from the beginning of the text, the keys from the "
                                   "beginning of "
                                   "their slice", "", _PLACES),
        "queries in the slice": Wrong("the keys are counted from the beginning of the text, the queries from the "
                                      "beginning of their slice", "", _PLACES),
        "turned": Wrong("the beginning of the slice is added on the wrong side: it moves the keys back, not forward",
                        "",
                        _PLACES),
        "aligned first": Wrong("queries are placed at the first key of the slice, not at their own position", "",
                               _PLACES),
    },
    mask={
        "no end": Wrong("the window has no end inside a block", "", "which two comparisons does the mask need?"),
        "negative": Wrong("`back` is the position of the key minus that of the query: it has the wrong sign", "",
                          "a key that lies behind the query has a positive `back`"),
        "future": Wrong("the future is no longer hidden", "", "which two comparisons does the mask need?"),
        "one more": Wrong("the window is one position too long", "", "the own position counts"),
    },
)  # fmt: skip
def fixed_window_attention(
    query, key, value, window, block_size=64, *, first="first query", places="in the text", mask="window"
):
    """Fix, with one choice for each line."""
    outputs, length = [], query.shape[-2]
    for start in range(0, length, block_size):
        stop = min(start + block_size, length)
        begin = {
            "last query": stop - window,
            "last query, one earlier": stop - window + 1,
            "one late": start - window + 2,
            "block": start,
            "everything": 0,
        }.get(first, start - window + 1)
        begin = min(max(0, begin), start) if first == "one late" else max(0, begin)
        rows = {
            "in the slices": torch.arange(stop - start),
            "queries in the slice": torch.arange(stop - start),
            "turned": torch.arange(stop - start),
            "aligned first": torch.arange(stop - start) + begin,
        }.get(places, torch.arange(start, stop))
        offset = {"in the slices": 0, "keys in the slice": 0, "turned": -begin}.get(places, begin)
        back = rows[:, None] - (torch.arange(stop - begin) + offset)
        back = -back if mask == "negative" else back
        allowed = {"no end": back >= 0, "future": back.abs() < window, "one more": (back >= 0) & (back <= window)}.get(
            mask, (back >= 0) & (back < window)
        )
        scores = query[..., start:stop, :] @ key[..., begin:stop, :].transpose(-2, -1) / math.sqrt(query.shape[-1])
        nothing = ~allowed.any(-1, keepdim=True)
        weights = scores.masked_fill(~allowed & ~nothing, -math.inf).softmax(-1).masked_fill(nothing, 0.0)
        outputs.append(weights @ value[..., begin:stop, :])
    return torch.cat(outputs, -2)


def inputs(length, window, block_size=None, d_k=4, d_v=3, leading=(2,), dtype=torch.float64):
    """Draw positions, with the size of the window and of the blocks."""

    def make(draw):
        widths = (d_k, d_k, d_v)
        drawn = [draw(*leading, length, width, dtype=dtype) for width in widths]
        return (*drawn, window) if block_size is None else (*drawn, window, block_size)

    return make


EXPECTED = "attention of every position to itself and the window - 1 positions before it"
task.require(
    "one block",
    EXPECTED,
    [Case("6 positions, window 3, blocks of 8", inputs(6, 3, 8))],
    [Case("a window as long as the text", inputs(7, 7, 9))],
)
task.require(
    "several blocks, whatever their size",
    EXPECTED,
    [Case("12 positions, window 4, blocks of 4", inputs(12, 4, 4)), Case("11 positions, window 3, blocks of 4",
                                                                          inputs(11, 3, 4)),
     Case("12 positions, window 5, blocks of 2", inputs(12, 5, 2)), Case("10 positions, window 1, blocks of 3",
                                                                          inputs(10, 1, 3)),
     Case("150 positions, window 10, block_size left out", inputs(150, 10))],
    [Case("other sizes", inputs(23, 6, 5, leading=(2, 2))), Case("a window longer than the text", inputs(9, 30, 4)),
     Case("many positions", inputs(200, 64))],
    _FIRST,
)  # fmt: skip


@task.probe("the cost is linear in the length", "four times as much for a text that is four times as long",
            "all scores are computed, or all to the left, and most of them hidden: a block of queries should meet only "
            "the keys that one of its queries can see", _FIRST)  # fmt: skip
def cost_of(answer):
    """256 and 1,024 positions, window 16, blocks of 16."""
    made = []
    for length in (256, 1024):
        leaves = inputs(length, 16, leading=(), dtype=torch.float32)(Draw("cost"))[:3]
        with torch.no_grad(), Memory(*leaves) as memory:
            answer(*leaves, 16, 16)
        made.append(memory.made)
    if made[1] > 6 * made[0]:
        return f"for a text that is 4 times as long, {made[1] / made[0]:.0f} times as many numbers are made"
    return None
