"""Task `sinusoidal_encoding` of exercise 08."""

from course_checks.cases import Case, refusal
from course_checks.positional_encoding.shared import UNIT, frequencies_go_wrong, in_float64, right_encoding
from course_checks.task import Task

task = Task("sinusoidal_encoding", UNIT)
task.oracle(right_encoding)

_POWER = "print the frequencies alone, the angles of row 1: the first is 1, and each pair is slower than the one before"
_FIRST = "print row 0: the sine of 0 is 0, its cosine 1, for every frequency"


# fmt: off
frequencies_go_wrong(task, "pairs", "d_model")
task.edit("positions[:, None] /", {"(positions[:, None] + 1) /": (
    "the positions are counted from 1", _FIRST, "row 0 is what row 1 should be")})
task.edit("positions[:, None] / 10_000 ** (pairs / d_model)", {
    "(positions[:, None] / 10_000) ** (pairs / d_model)": (
        "the position is divided by 10000 before the power is taken: (t / 10000) to the power of 2p / d_model", _POWER,
        "the speed of a pair is not the same everywhere"),
    "positions[:, None] / (10_000 * (pairs / d_model))": (
        "10000 is multiplied by 2p / d_model, not raised to that power", _POWER),
    "positions[:, None] / 10_000 ** (pairs / max(d_model - 1, 1))": (
        "2p is divided by d_model - 1", "which number does the formula divide 2p by?"),
    "positions[:, None] / 10_000 ** (pairs / (d_model + d_model % 2))": (
        "an odd d_model is rounded up in the exponent", "which number does the formula divide 2p by?"),
    "positions[:, None] / 10_000 * (pairs / d_model)": (
        "the angle is multiplied by 2p / d_model: 10000 is not raised to that power", _POWER),
})
task.edit("torch.zeros(length, d_model)", {"torch.zeros(length, d_model, dtype=torch.float32)": (
    "torch.float32 stands in the code, whatever torch's default dtype is", "which dtype does `torch.zeros` take by "
    "itself?")})
task.edit("angles.cos()[:, : d_model // 2]", {
    "angles.sin()[:, : d_model // 2]": ("there are sines only", _FIRST, "row 0 is 0 all through"),
    "(positions[:, None] / 10_000 ** ((pairs + 1) / d_model)).cos()[:, : d_model // 2]": (
        "a cosine takes the number of its own column, 2p + 1, for the exponent; a pair shares 2p",
        "sine and cosine of one pair and row have squares that sum to 1: do yours?",
        "the sines are right, the cosines are not"),
    "-angles.cos()[:, : d_model // 2]": ("the cosines have a minus sign", _FIRST, "row 0 holds -1"),
    "angles.cos()": (
        "with an odd d_model there is a cosine for the last pair too, for which there is no column",
        "how many columns has `encoding[:, 1::2]`, and how many sines are there?"),
})
task.edit("angles.sin()", {"angles.cos()": ("there are cosines only", _FIRST, "row 0 is 1 all through")})
task.edit_places({"= angles.sin()": "= angles.cos()", "= angles.cos()[": "= angles.sin()["},
                 "sines and cosines change places", _FIRST, "row 0 begins with 1")
task.edit_places({"torch.zeros(length, d_model)": "torch.zeros(length, d_model + d_model % 2)",
                  "[:, : d_model // 2]": "", "return encoding": "return encoding[:, d_model % 2 :]"},
                 "with an odd d_model the first sine is cut off; one cosine too many stands at the end",
                 "which column should the last pair not have?")
task.edit("return encoding", {
    "return torch.cat([encoding[:, 0::2], encoding[:, 1::2]], -1)": (
        "the two halves are concatenated; here they alternate, as in the paper", _FIRST,
        "all sines stand before all cosines"),
    "encoding[:, d_model - d_model % 2 :] = 0\nreturn encoding": (
        "with an odd d_model the last column stays 0: the last pair has no cosine, but it has its sine",
        "which number should stand in row 1 of the last column?"),
    "return encoding if length else torch.zeros(0)": (
        "without a position the columns are lost: nothing says how many an empty list of rows has",
        "which shape has `torch.tensor([])`, and which should the table of no positions have?"),
    "return encoding.T": ("rows and columns change places", "one row for each position"),
})
# fmt: on


task.require(
    "sines in even columns, cosines in odd ones, one frequency for each pair",
    "row t holds sin(t f) and cos(t f) side by side, with a frequency f for each pair p of columns",
    # Small enough that an inverted frequency has the same numbers in float32, however its power is written.
    [Case("3 positions, d_model = 4", (3, 4), within=1e-3),
     Case("7 positions, d_model = 6", (7, 6)), Case("30 positions, d_model = 16", (30, 16)),
     Case("5 positions, d_model = 5: the last pair has its sine only", (5, 5))],
    [Case("more columns", (40, 64)), Case("one pair", (7, 2)), Case("as many positions as columns", (12, 12)),
     Case("an odd number of columns", (33, 31))],
)  # fmt: skip
task.limits(
    "one position, none, one column, float64, and wrong input",
    [
        Case("one position", (1, 6)),
        Case("no position", (0, 4)),
        Case("one column", (6, 1)),
        Case("5 positions, when torch's default dtype is float64", (5, 4), in_float64),
        refusal("a negative length", (-1, 4)),
        refusal("no columns", (3, 0)),
    ],
)
