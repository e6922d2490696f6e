"""Task `prepend_class_token` of exercise 15."""

import torch
from torch.nn import functional as F

from course_checks.cases import Case, gradients, refusal
from course_checks.task import Task
from course_checks.vision_transformer.shared import UNIT

task = Task("prepend_class_token", UNIT)

_ROOM = "the result is one longer than x: which vector is new, and at which position?"


@task.oracle
def right(x, token):
    """Make room in front, and add the token there."""
    first = F.one_hot(torch.tensor(0), x.shape[1] + 1).to(x.dtype)
    return F.pad(x, (0, 0, 1, 0)) + first[:, None] * token


# fmt: off
_COLUMN = "token.expand(x.shape[0], -1, -1)"
task.edit(f"[{_COLUMN}, x], dim=1", {
    "[token, x], dim=1": (
        "there is one token for the whole batch; each sequence needs it in front",
        "print the shapes of both tensors: in which dimension do they differ, beside that in which they are joined?"),
    f"[x, {_COLUMN}], dim=1": ("the token stands behind the sequence, not in front of it", _ROOM),
    f"[{_COLUMN}, x[:, 1:]], dim=1": (
        "the token takes the place of the first vector of x", _ROOM, "a vector of x is lost"),
    f"[x + {_COLUMN}], dim=1": ("the token is added to every vector, not put in front of them", _ROOM),
    f"[{_COLUMN}, x[:, :-1]], dim=1": ("the token stands in front, and the last vector of x is lost", _ROOM),
    f"[{_COLUMN}, x, {_COLUMN}], dim=1": ("the token stands at both ends", _ROOM),
    "[token.expand(1, x.shape[1], -1), x], dim=0": (
        "the two are joined along dimension 0, the batch: the tokens become sequences of their own",
        "along which dimension does `torch.cat` join them?"),
    f"[torch.zeros_like({_COLUMN}), x], dim=1": (
        "a new vector is made, of zeros, and the token that is handed over is not used", "use the argument"),
    f"[{_COLUMN}.detach(), x], dim=1": (
        "the token is cut off from the graph (`.data`, `.detach()`, `torch.tensor(...)`): it never learns",
        "call `.sum().backward()` on the result, and print `token.grad`"),
    "[x.mean(1, keepdim=True), x], dim=1": (
        "the mean of x stands in front, not the token that is handed over", "use the argument"),
})
# fmt: on


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
