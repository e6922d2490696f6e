"""Task `prepend_class_token` of exercise 15."""

import torch
from torch.nn import functional as F

from course_checks.cases import Case, gradients, refusal
from course_checks.task import Task
from course_checks.vision_transformer.shared import UNIT
from course_checks.words import Wrong

task = Task("prepend_class_token", UNIT)

_ROOM = "the result is one longer than x: which vector is new, and at which position?"


@task.oracle
def right(x, token):
    """Make room in front, and add the token there."""
    first = F.one_hot(torch.tensor(0), x.shape[1] + 1).to(x.dtype)
    return F.pad(x, (0, 0, 1, 0)) + first[:, None] * token


@task.pipeline(
    where={
        "behind": Wrong("the token stands behind the sequence, not in front of it", "", _ROOM),
        "in place": Wrong("the token takes the place of the first vector of x", "a vector of x is lost", _ROOM),
        "added": Wrong("the token is added to every vector, not put in front of them", "", _ROOM),
        "last lost": Wrong("the token stands in front, and the last vector of x is lost", "", _ROOM),
        "both ends": Wrong("the token stands at both ends", "", _ROOM),
        "batch": Wrong("the two are joined along dimension 0, the batch: the tokens become sequences of their own", "",
                       "along which dimension does `torch.cat` join them?"),
    },
)  # fmt: skip
def prepend(x, token, *, where="front"):
    """Join with one choice."""
    column = token.expand(len(x), 1, x.shape[2])
    ways = {
        "behind": lambda: torch.cat([x, column], 1),
        "in place": lambda: torch.cat([column, x[:, 1:]], 1),
        "last lost": lambda: torch.cat([column, x[:, :-1]], 1),
        "added": lambda: x + column,
        "both ends": lambda: torch.cat([column, x, column], 1),
        "batch": lambda: torch.cat([column[:1].expand(1, x.shape[1], -1), x], 0),
    }
    return ways.get(where, lambda: torch.cat([column, x], 1))()


@task.mistake("a new vector is made, of zeros, and the token that is handed over is not used", "", "use the argument")
def zeros(x, token):
    """Put zeros in front."""
    return torch.cat([torch.zeros_like(x[:, :1]), x], 1) if x.shape[1] else right(x, 0 * token)


@task.mistake("the token is cut off from the graph (`.data`, `.detach()`, `torch.tensor(...)`): it never learns", "",
              "call `.sum().backward()` on the result, and print `token.grad`")  # fmt: skip
def cut_off(x, token):
    """Put the numbers of the token in front."""
    return right(x, token.detach())


@task.mistake("the mean of x stands in front, not the token that is handed over", "", "use the argument")
def mean(x, token):
    """Put the mean in front."""
    return torch.cat([x.mean(1, keepdim=True), x], 1)


def sequences(batch, length, d_model, dtype=torch.float64):
    """Draw sequences and a token."""
    return lambda draw: (draw(batch, length, d_model, dtype=dtype), draw(1, 1, d_model, dtype=dtype))


task.require(
    "the same token stands in front of every sequence",
    "position 0 holds the token, and the vectors of x follow in their order",
    [Case("2 sequences of 3 vectors", sequences(2, 3, 4)), Case("one sequence", sequences(1, 5, 2)),
     Case("the gradient", sequences(3, 2, 4), gradients())],
    [Case("as many sequences as vectors", sequences(4, 4, 4)), Case("float32", sequences(3, 7, 5, torch.float32)),
     Case("one column", sequences(2, 6, 1))],
)  # fmt: skip
task.limits(
    "one vector, and wrong input",
    [
        Case("one vector", sequences(2, 1, 3)),
        refusal("a token of two dimensions", (torch.ones(2, 3, 4), torch.ones(1, 4)), "token"),
        refusal("a token of another width", (torch.ones(2, 3, 4), torch.ones(1, 1, 5)), "token"),
    ],
)
