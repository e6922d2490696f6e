"""Task `rotate` of exercise 08, the stretch."""

import torch

from course_checks.cases import Case
from course_checks.positional_encoding.shared import UNIT, frequencies, frequencies_go_wrong
from course_checks.task import Task

task = Task("rotate", UNIT)
_PAIR = "the pair (1, 0) at position 1 becomes the cosine and the sine of its angle"


@task.oracle
def right(x, start=0):
    """Multiply complex numbers."""
    angles = torch.outer(start + torch.arange(x.shape[-2]).double(), frequencies(x.shape[-1]))
    turned = torch.view_as_complex(x.double().unflatten(-1, (-1, 2)).contiguous()) * torch.exp(1j * angles)
    return torch.view_as_real(turned).flatten(-2).to(x.dtype)


# fmt: off
frequencies_go_wrong(task, "torch.arange(0, d_k, 2, dtype=x.dtype)", "d_k")
task.edit("first * angles.cos() - second * angles.sin(), first * angles.sin() + second * angles.cos()", {
    "first * angles.cos() + second * angles.sin(), second * angles.cos() - first * angles.sin()": (
        "the pairs turn the other way: the two sines have each other's sign", _PAIR),
    "(first := first * angles.cos() - second * angles.sin()), first * angles.sin() + second * angles.cos()": (
        "the first number of a pair is overwritten before the second one is computed from it",
        "compute both new numbers from the two old ones: what does the second line read?"),
    "first + angles.sin(), second + angles.cos()": ("the encoding is added; a turn is a product, not a sum", _PAIR),
})
task.edit_places({"x[..., 0::2], x[..., 1::2]": "x.chunk(2, -1)", "torch.stack(turned, dim=-1).flatten(-2)":
                  "torch.cat(turned, -1)"},
                 "column c is paired with column c + d_k / 2; here neighbours are paired",
                 "pair columns 2p and 2p + 1: `x[..., 0::2]` and `x[..., 1::2]`")
task.edit("torch.stack(turned, dim=-1).flatten(-2)", {"torch.cat(turned, -1)": (
    "neighbours are paired, but the results are put one half behind the other (`cat`, or `stack` over another "
    "dimension); they belong back in their own columns",
    "make x of the numbers 0, 1, 2, ... at position 0: it should come back")})
task.edit("torch.arange(start, start + length,", {
    "torch.arange(0, length,": ("`start` is not used", "the first row stands at position `start`"),
    "torch.arange(start + 1, start + 1 + length,": (
        "the positions are counted from 1", "a vector at position 0 stays as it is"),
})
# fmt: on


task.require(
    "every pair turns with its frequency",
    "columns 2p and 2p + 1 turn by the position times the frequency of their pair",
    [Case("length 3, d_k = 4", lambda draw: (draw(3, 4, dtype=torch.float64),), within=1e-3),
     Case("batch 2, length 5, d_k = 6", lambda draw: (draw(2, 5, 6, dtype=torch.float64),)),
     Case("start = 7", lambda draw: (draw(2, 5, 6, dtype=torch.float64), 7)),
     Case("batch 2, 3 heads, length 4, d_k = 8, float32", lambda draw: (draw(2, 3, 4, 8), 2))],
)  # fmt: skip
