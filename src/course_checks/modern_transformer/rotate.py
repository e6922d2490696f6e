"""Task `rotate` of exercise 18."""

import torch

from course_checks.cases import Case, drawn, gradients, refusal
from course_checks.modern_transformer.shared import UNIT, angles_of, turned
from course_checks.outcomes import is_tensor, same
from course_checks.task import Task

task = Task("rotate", UNIT)
_PAIR = "the pair (1, 0) at position 1 becomes the cosine and the sine of its angle"
_LAST = "print the angles of one position: the first pair turns by the position itself, the last one most slowly"
_NEIGHBOURS = "pair columns 2i and 2i + 1: `x[..., 0::2]` and `x[..., 1::2]`"
_WHERE = "call it with positions 5, 0, 2: which row stays as it is?"


@task.oracle
def right(x, positions, base=10_000.0):
    """Multiply complex numbers."""
    return turned(x, angles_of(positions, x.shape[-1], base))


# fmt: off
_BRACKETS = ("the exponent has no brackets: `base ** 2 * i / d` raises to the power first, and divides then", _LAST)
task.edit("torch.arange(0, x.shape[-1], 2, dtype", {
    "torch.arange(x.shape[-1] // 2, dtype": (
        "i stands in the exponent where the formula has 2i", _LAST, "all pairs but the first turn too fast"),
    "2 * torch.arange(0, x.shape[-1], 2, dtype": ("2i is doubled once more: a range with step 2 already holds 0, 2, 4, "
        "...", _LAST, "all pairs but the first turn too slowly"),
    "torch.arange(2, x.shape[-1] + 2, 2, dtype": (
        "i is counted from 1; it begins at 0", _LAST, "all pairs turn too slowly, the first one too")})
task.edit("/ x.shape[-1]", {"/ (x.shape[-1] - 2)": ("the exponent is divided by d - 2", _LAST)})
task.edit("* base**-exponents", {
    "* base**exponents": (
        "the power is not inverted: its exponent has no minus sign", _LAST, "later pairs turn faster"),
    "* base**-exponents * 2 * torch.pi": (
        "the angle is multiplied by 2 pi", "the formula speaks of radians, and has no pi", "everything turns too fast"),
    "* base**-exponents / 180 * torch.pi": (
        "the angle is converted to degrees or from them", "the formula speaks of radians"),
    "/ (base ** (exponents * x.shape[-1]) / x.shape[-1])": _BRACKETS,
    "/ base ** (exponents * x.shape[-1]) / x.shape[-1]": _BRACKETS,
    "* torch.ones_like(exponents)": ("every pair turns with the same frequency", _LAST),
    "* torch.exp(-exponents)": ("the frequency is exp(-2i / d), without base", _LAST),
    "* 10_000.0**-exponents": (
        "`base` is not used: 10000 stands in the code", "which line uses `base`?", "with another base nothing changes"),
})
task.edit("positions.double()", {
    "torch.arange(len(positions))": ("`positions` is not used: the rows are counted from 0", _WHERE),
    "(positions.double() + 1)": ("the positions are counted from 1", _WHERE, "a row at position 0 turns"),
    "positions.long()": ("positions are rounded to whole numbers", "positions may be 0.5")})
task.edit("positions.double()[:, None] * base**-exponents", {
    "positions.to(x.dtype)[:, None] * (base**-exponents).to(x.dtype)": (
        "the angles are computed in the dtype of x: bfloat16 has three digits, too few for an angle of 1001",
        "angles, sines and cosines in float32 at least; only what multiplies x is brought to its dtype",
        "far from the beginning the rows of a bfloat16 x turn by other angles")})
task.edit_all(".to(x.dtype)", {
    "": ("the result has the dtype of the angles, not that of x", "bring cosine and sine to the dtype of x",
         "float64 for a float32 x")})
task.edit("cosines, sines = ", {
    "sines, cosines = ": ("sine and cosine are exchanged", _PAIR, "a row at position 0 does not stay as it is")})
task.edit("x[..., 0::2], x[..., 1::2]", {
    "x.chunk(2, dim=-1)": (
        "columns i and i + d / 2 are turned together, and put side by side; here neighbours are paired", _NEIGHBOURS)})
task.edit("first * cosines - second * sines, first * sines + second * cosines", {
    "first * cosines + second * sines, second * cosines - first * sines": (
        "the pairs turn the other way: the two sines have each other's sign", _PAIR),
    "first * cosines + second * sines, first * sines + second * cosines": ("one of the two columns has the wrong sign "
        "of its sine: the pair is mirrored, not turned", _PAIR, "lengths change"),
    "new := first * cosines - second * sines, new * sines + second * cosines": (
        "the first column of a pair is overwritten before the second one is computed from it",
        "compute both new columns from the two old ones: what does the second line read?")})
task.edit("turned.flatten(-2)", {
    "x + torch.stack([sines, cosines], dim=-1).flatten(-2)": ("sine and cosine are added; a turn is a product", _PAIR)})
_HALVES = {"torch.stack(": "torch.cat(", ".flatten(-2)": ""}
task.edit_places(_HALVES, "the turned columns stand in two halves, not in their places",
                 "where does column 1 of the result come from?")
task.edit_places(
    {"x[..., 0::2], x[..., 1::2]": "x.chunk(2, dim=-1)", **_HALVES},
    "column i is paired with column i + d / 2, as in Llama's files; here neighbours are paired", _NEIGHBOURS)
# fmt: on


def placed(shape, *positions, base=10_000.0):
    """Draw rows, and place them."""
    return drawn(shape, torch.tensor(positions), base)


EXPECTED = "columns 2i and 2i + 1 of each row turn by its position * base ** (-2i / d), counter-clockwise"
task.require(
    "every pair of neighbouring columns turns with its frequency",
    EXPECTED,
    [Case("the pairs (1, 0) at position 1", lambda draw: (torch.tensor([[1.0, 0, 1, 0, 1, 0]]), torch.tensor([1]))),
     Case("batch 2, length 4, d = 6", placed("2 4 6", 0, 1, 2, 3)),
     Case("2 x 3 heads, length 3, d = 8", placed("2 3 3 8", 0, 1, 2))],
    [Case("one row, d = 2", placed("1 2", 3)), Case("d = 10", placed("3 5 10", 0, 1, 2, 3, 4))],
    _PAIR,
)  # fmt: skip
task.require(
    "each row turns by its own position",
    EXPECTED,
    [Case("positions 5, 0, 2", placed("3 6", 5, 0, 2)),
     Case("positions 0.5, 1.5, -1", placed("2 3 4", 0.5, 1.5, -1.0))],
    [Case("positions 40 to 43", placed("4 8", 40, 41, 42, 43)),
     Case("twice the same position", placed("3 3 4", 2.25, 9.0, 9.0))],
    _WHERE,
)  # fmt: skip
task.require(
    "base says how slow the slowest pair is",
    EXPECTED,
    [Case("base 100", placed("2 3 6", 1, 2, 3, base=100.0)),
     Case("base 500000", placed("3 8", 7, 8, 30, base=500_000.0))],
    [Case("base 20", placed("2 4", 2, 11, base=20.0))],
    _LAST,
)  # fmt: skip


@task.probe("scores follow from the distance alone", "the same scores when both positions move by the same number",
            "the rows do not turn, or do not turn all in the same way", _PAIR)  # fmt: skip
def distances(answer):
    """Queries and keys at positions 0 to 3, and 20 later."""
    x = torch.linspace(-1, 1, 32, dtype=torch.float64).reshape(4, 8).sin() * 3
    scores = []
    for start in (0, 20):
        rows = answer(x, start + torch.arange(4))
        if not is_tensor(rows) or rows.shape != x.shape:
            return None  # the comparison of numbers says more
        scores.append(rows @ rows.flip(0).T)
    return None if same(scores[1].float(), scores[0].float()) else "the scores change when all move 20 further"


task.require(
    "gradients flow to x",
    "the derivative of the formula",
    [Case("the gradient, length 3, d = 6", placed("3 6", 4, 1, 2), gradients())],
)
task.limits(
    "x in bfloat16 at places far away, and wrong input",
    [
        # the products themselves are rounded to three digits
        Case("a bfloat16 x at positions 0, 900 and 1001",
             drawn("2 3 4", torch.tensor([0, 900, 1001]), dtype=torch.bfloat16), within=0.1),
        refusal("an odd d", (torch.ones(2, 3), torch.arange(2)), "d of x"),
        refusal("too few positions", (torch.ones(3, 4), torch.arange(2)), "positions"),
        refusal("base 0", (torch.ones(2, 4), torch.arange(2), 0.0), "base"),
    ],
)  # fmt: skip
