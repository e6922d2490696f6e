"""Autograd across the wire: the side that computed keeps the graph, the other holds a handle to it.

The result of a remote call is attached to the caller's graph by one :class:`torch.autograd.Function`. Its inputs are
the leaves that the computation reached: arguments, parameters of mirrored modules, and tensors that a call-back
captured. Its backward pass is a message. Gradients of gradients are not carried.
"""

import weakref

import torch
from torch.autograd.function import once_differentiable


def warm_up() -> None:
    """Do once, before any fork, what torch does at the first backward pass and for the first tensor without numbers.

    It then imports SymPy, which takes seconds.
    """
    torch.ones(2, 2, device="meta").tril()
    x = torch.ones(2, requires_grad=True)
    torch.autograd.grad([x * 2, x @ x], [x], [torch.ones(2), torch.ones(())])


class GraphHandle:
    """A graph that the other side keeps for us, until this object is gone."""

    def __init__(self, peer, number: int):
        self.peer, self.number = peer, number
        weakref.finalize(self, peer.dropped.append, ["graph", number])


class _Remote(torch.autograd.Function):
    @staticmethod
    def forward(ctx, handle, values, anchor, *leaves):
        ctx.handle = handle
        ctx.set_materialize_grads(False)
        return tuple(values)

    @staticmethod
    @once_differentiable
    def backward(ctx, *gradients):
        # What the caller said as retain_graph. Torch tells it nobody in public, and the graph there has to be kept or
        # freed as this one is: freed too early a second pass fails, kept too long a missing retain_graph goes unseen.
        keep = torch._C._autograd._get_current_graph_task_keep_graph()
        return None, None, None, *ctx.handle.peer.backward(ctx.handle.number, gradients, keep)


def attach(handle: GraphHandle, values: list[torch.Tensor], leaves: list[torch.Tensor]) -> list[torch.Tensor]:
    """Return the values as results of a computation on ``leaves`` that happened on the other side."""
    anchor = torch.empty(0, requires_grad=True)  # a result stays attached where only private parameters were used
    with torch.enable_grad():
        return list(_Remote.apply(handle, [value.detach() for value in values], anchor, *leaves))


def leaves_of(outputs: list[torch.Tensor]) -> list[torch.Tensor]:
    """Walk back from outputs to every leaf that they depend on."""
    found: dict[int, torch.Tensor] = {}
    visited, waiting = set(), []
    for output in outputs:
        if output.grad_fn is None:
            found[id(output)] = output
        else:
            waiting.append(output.grad_fn)
    while waiting:
        node = waiting.pop()
        if node in visited:
            continue
        visited.add(node)
        if hasattr(node, "variable"):
            found[id(node.variable)] = node.variable
        waiting.extend(following for following, _ in node.next_functions if following is not None)
    return list(found.values())


class Graphs:
    """The graphs that we keep for the other side, and the stand-ins of its leaves that are not arguments."""

    def __init__(self):
        self._kept: dict[int, tuple[list[torch.Tensor], list[torch.Tensor]]] = {}
        self._next = 0
        self._private: list[torch.Tensor] = []  # ours, numbered for the other side
        self._private_numbers: dict[int, int] = {}
        self._stand_ins: dict[int, torch.Tensor] = {}  # theirs
        self._stand_in_numbers: dict[int, int] = {}

    def keep(self, outputs: list[torch.Tensor], leaves: list[torch.Tensor]) -> int:
        """Store a graph and return its number."""
        self._next += 1
        self._kept[self._next] = (outputs, leaves)
        return self._next

    def drop(self, number: int) -> None:
        """Forget a graph."""
        self._kept.pop(number, None)

    def run(self, number: int, gradients: list[torch.Tensor | None], keep: bool) -> list[torch.Tensor | None]:
        """Run the backward pass of a kept graph.

        Raises:
            RuntimeError: from torch, if the graph was freed by an earlier pass without ``retain_graph``.
        """
        outputs, leaves = self._kept[number]
        pairs = [pair for pair in zip(outputs, gradients, strict=True) if pair[1] is not None]
        if not pairs or not leaves:
            return [None] * len(leaves)
        return list(
            torch.autograd.grad(
                [output for output, _ in pairs],
                leaves,
                [gradient for _, gradient in pairs],
                retain_graph=keep,
                allow_unused=True,
            )
        )

    def name_private(self, leaf: torch.Tensor, ours: bool) -> dict | None:
        """Name a leaf that is neither an argument nor mirrored; None where the other side need not know it."""
        if id(leaf) in self._stand_in_numbers:
            return {"x": self._stand_in_numbers[id(leaf)]}
        if not ours:
            return None
        if id(leaf) not in self._private_numbers:
            self._private_numbers[id(leaf)] = len(self._private)
            self._private.append(leaf)
        dtype = str(leaf.dtype).removeprefix("torch.")
        return {"x": self._private_numbers[id(leaf)], "s": list(leaf.shape), "d": dtype}

    def resolve_private(self, form: dict, ours: bool) -> torch.Tensor:
        """Return the leaf that the other side means; its stand-in if the leaf is theirs."""
        number = form["x"]
        if ours:
            return self._private[number]
        if number not in self._stand_ins:
            place = torch.zeros(1, dtype=getattr(torch, form["d"])).expand(form["s"]).requires_grad_()
            self._stand_ins[number] = place
            self._stand_in_numbers[id(place)] = number
        return self._stand_ins[number]
