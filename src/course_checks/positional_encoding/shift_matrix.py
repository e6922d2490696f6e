"""Task `shift_matrix` of exercise 08."""

import torch

from course_checks.cases import Case, refusal
from course_checks.positional_encoding.shared import UNIT, frequencies, frequencies_go_wrong, in_float64
from course_checks.task import Task

task = Task("shift_matrix", UNIT)
_THEOREM = "write down sin(a + b) and cos(a + b), with a the angle of t, and read off the four entries of a block"

_EXCHANGED = (
    "the two rows of the block are exchanged, or its two columns",
    "offset 0 moves nothing: which matrix should come out?",
)


@task.oracle
def right(offset, d_model):
    """Take the exponential of the matrix that turns by an infinitesimal step."""
    step = torch.zeros(d_model, d_model, dtype=torch.float64)
    even = torch.arange(0, d_model, 2)
    step[even, even + 1], step[even + 1, even] = frequencies(d_model), -frequencies(d_model)
    return torch.linalg.matrix_exp(offset * step).to(torch.get_default_dtype())


# fmt: off
frequencies_go_wrong(task, "column", "d_model")
task.edit("torch.zeros(d_model, d_model)", {"torch.zeros(d_model, d_model, dtype=torch.float32)": (
    "torch.float32 stands in the code, whatever torch's default dtype is", "which dtype does `torch.zeros` take by "
    "itself?")})
_SIGN = ("both sines have the same sign", _THEOREM, "the length of a vector changes when it is moved")
task.edit("= math.sin(angle)", {"= -math.sin(angle)": _SIGN})
task.edit("= -math.sin(angle)", {"= math.sin(angle)": _SIGN})
task.edit_places({"= math.sin(angle)": "= -math.sin(angle)", "= -math.sin(angle)": "= math.sin(angle)"},
                 "the block is transposed: the two sines have each other's sign", _THEOREM,
                 "it moves back, not forward")
_DIAGONAL = "matrix[column, column] = matrix[column + 1, column + 1] = math.cos(angle)"
_ONE = ("one of the two cosines of a block is missing: an entry of the diagonal is 0", _THEOREM)
task.edit(_DIAGONAL, {
    f"column //= 2\n{_DIAGONAL}": ("the block of pair p begins at row and column p, so that blocks overlap",
        "number rows and columns 0, 1, 2, ...: which two belong to pair 1?"),
    _DIAGONAL.partition(" = ")[2]: _ONE,
    "matrix[column, column] = math.cos(angle)": _ONE,
    _DIAGONAL.replace("math.cos(angle)", "1.0"): ("the diagonal is 1, where the cosines belong", _THEOREM)})
task.edit("range(0, d_model, 2)", {"range(0, d_model - 2, 2)": (
    "the last pair of columns is left out: its block is 0", "how many blocks has the matrix for d_model = 6?")})
task.edit_places({"= math.sin(angle)": "= 0", "= -math.sin(angle)": "= 0"},
                 "the sines are missing: cos(a + b) is not cos(a) cos(b) alone", _THEOREM,
                 "there are no entries beside the diagonal")
task.edit_places({"math.cos(angle)": "math.sin(angle)", "= math.sin(angle)": "= math.cos(angle)",
                  "-math.sin(angle)": "-math.cos(angle)"}, "sine and cosine change places in the block", _THEOREM)
task.edit("return matrix", {
    "return matrix.unflatten(0, (-1, 2)).flip(1).flatten(0, 1)": _EXCHANGED,
    "return matrix.unflatten(1, (-1, 2)).flip(2).flatten(1, 2)": _EXCHANGED,
    "order = torch.arange(d_model).view(-1, 2).T.flatten()\nreturn matrix[order][:, order]": (
        "the matrix is made for an encoding with all sines before all cosines; here they alternate",
        "number rows and columns 0, 1, 2, ...: the block of pair p stands at 2p and 2p + 1",
        "the entries are right, but not where the columns of the encoding are"),
})
task.edit("offset /", {
    "1 /": ("the offset is not used", "multiply every frequency by the offset", "it moves by one position"),
    "abs(offset) /": ("the sign of the offset is lost", "try offset -1", "a step back goes forward"),
})
# fmt: on


task.require(
    "M @ PE[t] is PE[t + offset]",
    "the matrix that turns each pair of columns by offset times its frequency, with the signs of the addition theorems",
    [Case("offset 1, d_model = 6", (1, 6), within=1e-3), Case("offset 3, d_model = 10", (3, 10)),
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
