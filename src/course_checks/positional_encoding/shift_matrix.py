"""Task `shift_matrix` of exercise 08."""

import torch

from course_checks.cases import Case, refusal
from course_checks.positional_encoding.shared import FREQUENCY, UNIT, frequencies, in_float64
from course_checks.task import Task
from course_checks.words import Wrong

task = Task("shift_matrix", UNIT)
_THEOREM = "write down sin(a + b) and cos(a + b), with a the angle of t, and read off the four entries of a block"

_EXCHANGED = Wrong("the two rows of the block are exchanged, or its two columns", "",
                   "offset 0 moves nothing: which matrix should come out?")  # fmt: skip


@task.oracle
def right(offset, d_model):
    """Take the exponential of the matrix that turns by an infinitesimal step."""
    step = torch.zeros(d_model, d_model, dtype=torch.float64)
    even = torch.arange(0, d_model, 2)
    step[even, even + 1], step[even + 1, even] = frequencies(d_model), -frequencies(d_model)
    return torch.linalg.matrix_exp(offset * step).to(torch.get_default_dtype())


@task.pipeline(
    frequency=FREQUENCY,
    block={
        "transposed": Wrong("the block is transposed: the two sines have each other's sign",
                            "it moves back, not forward", _THEOREM),
        "no sign": Wrong("both sines have the same sign", "the length of a vector changes when it is moved", _THEOREM),
        "no sines": Wrong("the sines are missing: cos(a + b) is not cos(a) cos(b) alone",
                          "there are no entries beside the diagonal", _THEOREM),
        "swapped": Wrong("sine and cosine change places in the block", "", _THEOREM),
        "rows": _EXCHANGED, "columns": _EXCHANGED,
        "halves": Wrong("the matrix is made for an encoding with all sines before all cosines; here they alternate",
                        "the entries are right, but not where the columns of the encoding are",
                        "number rows and columns 0, 1, 2, ...: the block of pair p stands at 2p and 2p + 1"),
    },
    offset_used={
        "one": Wrong("the offset is not used", "it moves by one position", "multiply every frequency by the offset"),
        "absolute": Wrong("the sign of the offset is lost", "a step back goes forward", "try offset -1"),
    },
)  # fmt: skip
def shift_matrix(offset, d_model, *, frequency="2p", block="right", offset_used="yes"):
    """Build the matrix with one choice for each step."""
    steps = {"one": 1, "absolute": abs(offset)}.get(offset_used, offset)
    angles = steps * frequencies(d_model, frequency)
    sines, cosines = angles.sin(), angles.cos()
    sines, cosines = (cosines, sines) if block == "swapped" else (sines, cosines)
    sines = 0 * sines if block == "no sines" else -sines if block == "transposed" else sines
    matrix = torch.diag(cosines.repeat_interleave(2))
    even = torch.arange(0, d_model, 2)
    matrix[even, even + 1], matrix[even + 1, even] = sines, sines if block == "no sign" else -sines
    if block == "rows":
        matrix[even], matrix[even + 1] = matrix[even + 1], matrix[even]
    if block == "columns":
        matrix[:, even], matrix[:, even + 1] = matrix[:, even + 1], matrix[:, even]
    if block == "halves":
        order = torch.cat([even, even + 1])
        matrix = matrix[order][:, order]
    return matrix.to(torch.get_default_dtype())


task.require(
    "M @ PE[t] is PE[t + offset]",
    "the matrix that turns each pair of columns by offset times its frequency, with the signs of the addition theorems",
    [Case("offset 1, d_model = 4", (1, 4), within=1e-3), Case("offset 3, d_model = 6", (3, 6)),
     Case("offset -2, d_model = 8", (-2, 8)), Case("offset 0", (0, 4))],
    [Case("one pair", (1, 2)), Case("a long step", (20, 16)), Case("a step back", (-7, 4)),
     Case("more columns", (5, 12))],
)  # fmt: skip
task.limits(
    "float64, and wrong input",
    [
        Case("offset 3, when torch's default dtype is float64", (3, 4), in_float64),
        refusal("an odd d_model", (2, 7)),
        refusal("no columns", (2, 0)),
    ],
)
