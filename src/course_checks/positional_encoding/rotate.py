"""Task `rotate` of exercise 08, the stretch."""

import torch

from course_checks.cases import Case
from course_checks.positional_encoding.shared import FREQUENCY, UNIT, frequencies
from course_checks.task import Task
from course_checks.words import Wrong

task = Task("rotate", UNIT)
_PAIR = "the pair (1, 0) at position 1 becomes the cosine and the sine of its angle"


@task.oracle
def right(x, start=0):
    """Multiply complex numbers."""
    angles = torch.outer(start + torch.arange(x.shape[-2]).double(), frequencies(x.shape[-1]))
    turned = torch.view_as_complex(x.double().unflatten(-1, (-1, 2)).contiguous()) * torch.exp(1j * angles)
    return torch.view_as_real(turned).flatten(-2).to(x.dtype)


@task.pipeline(
    frequency=FREQUENCY,
    sense={"clockwise": Wrong("the pairs turn the other way: the two sines have each other's sign", "", _PAIR)},
    pairs={"halves": Wrong("column c is paired with column c + d_k / 2; here neighbours are paired", "",
                           "pair columns 2p and 2p + 1: `x[..., 0::2]` and `x[..., 1::2]`"),
           "behind each other": Wrong("neighbours are paired, but the results are put one half behind the other "
                                      "(`cat`, or `stack` over another dimension); they belong back in their own "
                                      "columns", "",
                                      "make x of the numbers 0, 1, 2, ... at position 0: it should come back")},
    order={"overwritten": Wrong("the first number of a pair is overwritten before the second one is computed from it",
                                "", "compute both new numbers from the two old ones: what does the second line read?")},
    where={
        "added": Wrong("the encoding is added; a turn is a product, not a sum", "", _PAIR),
        "no start": Wrong("`start` is not used", "", "the first row stands at position `start`"),
        "from 1": Wrong("the positions are counted from 1", "", "a vector at position 0 stays as it is"),
    },
)  # fmt: skip
def rotate(x, start=0, *, frequency="2p", sense="counter", pairs="neighbours", order="both", where="right"):
    """Turn with one choice for each step."""
    length, d_k = x.shape[-2:]
    first = {"no start": 0, "from 1": start + 1}.get(where, start)
    angles = torch.outer(first + torch.arange(length).double(), frequencies(d_k, frequency))
    sines, cosines = (-angles.sin() if sense == "clockwise" else angles.sin()), angles.cos()
    if where == "added":
        return (x + torch.stack([sines, cosines], -1).flatten(-2)).to(x.dtype)
    a, b = (x[..., : d_k // 2], x[..., d_k // 2 :]) if pairs == "halves" else (x[..., 0::2], x[..., 1::2])
    first = a * cosines - b * sines
    turned = first, (first if order == "overwritten" else a) * sines + b * cosines
    result = torch.stack(turned, -1).flatten(-2) if pairs == "neighbours" else torch.cat(turned, -1)
    return result.to(x.dtype)


task.require(
    "every pair turns with its frequency",
    "columns 2p and 2p + 1 turn by the position times the frequency of their pair",
    [Case("length 3, d_k = 4", lambda draw: (draw(3, 4, dtype=torch.float64),), within=1e-3),
     Case("batch 2, length 5, d_k = 6", lambda draw: (draw(2, 5, 6, dtype=torch.float64),)),
     Case("start = 7", lambda draw: (draw(2, 5, 6, dtype=torch.float64), 7)),
     Case("batch 2, 3 heads, length 4, d_k = 8, float32", lambda draw: (draw(2, 3, 4, 8), 2))],
)  # fmt: skip
