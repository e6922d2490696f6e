"""Task `rotate` of exercise 18."""

import torch

from course_checks.cases import Case, gradients, refusal
from course_checks.modern_transformer.shared import UNIT, angles_of, turned
from course_checks.outcomes import is_tensor, same
from course_checks.task import Task
from course_checks.words import Wrong

task = Task("rotate", UNIT)
_PAIR = "the pair (1, 0) at position 1 becomes the cosine and the sine of its angle"
_LAST = "print the angles of one position: the first pair turns by the position itself, the last one most slowly"
_WHERE = "call it with positions 5, 0, 2: which row stays as it is?"

_BRACKETS = Wrong("the exponent has no brackets: `base ** 2 * i / d` raises to the power first, and divides then", "",
                  _LAST)  # fmt: skip


@task.oracle
def right(x, positions, base=10_000.0):
    """Multiply complex numbers."""
    return turned(x, angles_of(positions, x.shape[-1], base))


@task.pipeline(
    pairs={
        "halves": Wrong("column i is paired with column i + d / 2, as in Llama's files; here neighbours are paired", "",
                        "pair columns 2i and 2i + 1: `x[..., 0::2]` and `x[..., 1::2]`"),
        "halves, woven": Wrong("columns i and i + d / 2 are turned together, and put side by side; here neighbours are "
                               "paired", "", "pair columns 2i and 2i + 1: `x[..., 0::2]` and `x[..., 1::2]`"),
        "side by side": Wrong("the turned columns stand in two halves, not in their places", "",
                              "where does column 1 of the result come from?"),
    },
    frequency={
        "i": Wrong("i stands in the exponent where the formula has 2i", "all pairs but the first turn too fast", _LAST),
        "4i": Wrong("2i is doubled once more: a range with step 2 already holds 0, 2, 4, ...",
                    "all pairs but the first turn too slowly", _LAST),
        "from 1": Wrong("i is counted from 1; it begins at 0", "all pairs turn too slowly, the first one too", _LAST),
        "inverted": Wrong("the power is not inverted: its exponent has no minus sign",
                          "later pairs turn faster", _LAST),
        "d - 2": Wrong("the exponent is divided by d - 2", "", _LAST),
        "2 pi": Wrong("the angle is multiplied by 2 pi", "everything turns too fast", "the formula speaks of radians, "
                      "and "
                      "has no pi"),
        "degrees": Wrong("the angle is converted to degrees or from them", "", "the formula speaks of radians"),
        "brackets": _BRACKETS, "brackets, divided": _BRACKETS,
        "one": Wrong("every pair turns with the same frequency", "", _LAST),
        "exponential": Wrong("the frequency is exp(-2i / d), without base", "", _LAST),
    },
    base={"10000": Wrong("`base` is not used: 10000 stands in the code", "with another base nothing changes",
                         "which line uses `base`?")},
    sense={"clockwise": Wrong("the pairs turn the other way: the two sines have each other's sign", "", _PAIR),
           "exchanged": Wrong("sine and cosine are exchanged", "a row at position 0 does not stay as it is", _PAIR),
           "overwritten": Wrong("the first column of a pair is overwritten before the second one is computed from it",
                                "", "compute both new columns from the two old ones: what does the second line read?"),
           "mirrored": Wrong("one of the two columns has the wrong sign of its sine: the pair is mirrored, not turned",
                             "lengths change", _PAIR)},
    where={
        "rows": Wrong("`positions` is not used: the rows are counted from 0", "", _WHERE),
        "from 1": Wrong("the positions are counted from 1", "a row at position 0 turns", _WHERE),
        "whole": Wrong("positions are rounded to whole numbers", "", "positions may be 0.5"),
        "added": Wrong("sine and cosine are added; a turn is a product", "", _PAIR),
    },
    kept={"double": Wrong("the result has the dtype of the angles, not that of x", "float64 for a float32 x",
                          "bring cosine and sine to the dtype of x"),
          "narrow": Wrong("the angles are computed in the dtype of x: bfloat16 has three digits, too few for an angle "
                          "of 1001", "far from the beginning the rows of a bfloat16 x turn by other angles",
                          "angles, sines and cosines in float32 at least; only what multiplies x is brought to its "
                          "dtype")},
)  # fmt: skip
def rotate(
    x, positions, base_argument=10_000.0, *, pairs="neighbours", frequency="2i", base="used", sense="counter",
    where="right", kept="x",
):  # fmt: skip
    """Turn with one choice for each step."""
    d = x.shape[-1]
    base_argument = 10_000.0 if base == "10000" else base_argument
    i = torch.arange(d // 2, dtype=torch.float64)
    exponents = {"i": i / d, "4i": 4 * i / d, "from 1": 2 * (i + 1) / d,
                 "inverted": -2 * i / d, "d - 2": 2 * i / max(d - 2, 1), "one": 0 * i}  # fmt: skip
    steps = base_argument ** -exponents.get(frequency, 2 * i / d)
    steps = torch.exp(-2 * i / d) if frequency == "exponential" else steps
    steps = steps * {"2 pi": 2 * torch.pi, "degrees": torch.pi / 180}.get(frequency, 1.0)
    if frequency.startswith("brackets"):
        steps = base_argument ** (-2 * i) * (1 / d if frequency == "brackets, divided" else d)
    places = torch.arange(len(positions)) if where == "rows" else positions + (where == "from 1")
    digits = x.dtype if kept == "narrow" else torch.float64
    angles = torch.outer((places.long() if where == "whole" else places).to(digits), steps.to(digits))
    sines, cosines = (-angles.sin() if sense == "clockwise" else angles.sin()), angles.cos()
    sines, cosines = (cosines, sines) if sense == "exchanged" else (sines, cosines)
    if where == "added":
        return (x + torch.stack([sines, cosines], -1).flatten(-2)).to(x.dtype)
    a, b = (
        (x[..., : d // 2], x[..., d // 2 :]) if pairs in ("halves", "halves, woven") else (x[..., 0::2], x[..., 1::2])
    )
    first = a * cosines + b * sines if sense == "mirrored" else a * cosines - b * sines
    second = (first if sense == "overwritten" else a) * sines + b * cosines
    result = (
        torch.cat([first, second], -1)
        if pairs in ("halves", "side by side")
        else torch.stack([first, second], -1).flatten(-2)
    )
    return result.double() if kept == "double" else result.to(x.dtype)


def drawn(*shape, positions, base=10_000.0):
    """Draw rows, and place them."""
    return lambda draw: (draw(*shape), torch.tensor(positions), base)


EXPECTED = "columns 2i and 2i + 1 of each row turn by its position * base ** (-2i / d), counter-clockwise"
task.require(
    "every pair of neighbouring columns turns with its frequency",
    EXPECTED,
    [Case("the pairs (1, 0) at position 1", (torch.tensor([[1.0, 0, 1, 0, 1, 0]]), torch.tensor([1]))),
     Case("batch 2, length 4, d = 6", drawn(2, 4, 6, positions=[0, 1, 2, 3])),
     Case("2 x 3 heads, length 3, d = 8", drawn(2, 3, 3, 8, positions=[0, 1, 2]))],
    [Case("one row, d = 2", drawn(1, 2, positions=[3])), Case("d = 10", drawn(3, 5, 10, positions=[0, 1, 2, 3, 4]))],
    _PAIR,
)  # fmt: skip
task.require(
    "each row turns by its own position",
    EXPECTED,
    [Case("positions 5, 0, 2", drawn(3, 6, positions=[5, 0, 2])),
     Case("positions 0.5, 1.5, -1", drawn(2, 3, 4, positions=[0.5, 1.5, -1.0]))],
    [Case("positions 40 to 43", drawn(4, 8, positions=[40, 41, 42, 43])),
     Case("twice the same position", drawn(3, 3, 4, positions=[2.25, 9.0, 9.0]))],
    _WHERE,
)  # fmt: skip
task.require(
    "base says how slow the slowest pair is",
    EXPECTED,
    [Case("base 100", drawn(2, 3, 6, positions=[1, 2, 3], base=100.0)),
     Case("base 500000", drawn(3, 8, positions=[7, 8, 30], base=500_000.0))],
    [Case("base 20", drawn(2, 4, positions=[2, 11], base=20.0))],
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
    [Case("the gradient, length 3, d = 6", drawn(3, 6, positions=[4, 1, 2]), gradients())],
)
task.limits(
    "x in bfloat16 at places far away, and wrong input",
    [
        # the products themselves are rounded to three digits
        Case("a bfloat16 x at positions 0, 900 and 1001", lambda draw: (
            draw(2, 3, 4, dtype=torch.bfloat16), torch.tensor([0, 900, 1001])), within=0.1),
        refusal("an odd d", (torch.ones(2, 3), torch.arange(2)), "d of x"),
        refusal("too few positions", (torch.ones(3, 4), torch.arange(2)), "positions"),
        refusal("base 0", (torch.ones(2, 4), torch.arange(2), 0.0), "base"),
    ],
)  # fmt: skip
