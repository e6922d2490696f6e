"""Situations in which an answer is tried, and ways to look at what it does there."""

import contextlib
import copy
import random
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import torch
from torch import Tensor

from course_checks.outcomes import Outcome, is_tensor
from course_checks.words import CheckFailed, Finding, Wrong

_NOTHING = object()


class Draw:
    """Random inputs that are the same on every machine and leave torch's own generator alone.

    Args:
        seed: text, from which the numbers follow.
    """

    def __init__(self, seed: str):
        self._generator = torch.Generator().manual_seed(zlib.crc32(seed.encode()))

    def __call__(self, *shape: int, dtype: torch.dtype = torch.float32, scale: float = 1.0) -> Tensor:
        """Draw normal numbers with this standard deviation."""
        return (scale * torch.randn(shape, generator=self._generator, dtype=torch.float64)).to(dtype)

    def integers(self, low: int, high: int, *shape: int) -> Tensor:
        """Draw integers from low to high - 1."""
        return torch.randint(low, high, shape, generator=self._generator)

    def mask(self, *shape: int, share: float = 0.6) -> Tensor:
        """Draw a boolean tensor whose rows (the last dimension) each hold a True and, if longer than 1, a False."""
        mask = torch.rand(shape, generator=self._generator) < share
        places = torch.rand(shape, generator=self._generator).argsort(-1)
        mask.scatter_(-1, places[..., :1], True)
        if shape[-1] > 1:
            mask.scatter_(-1, places[..., 1:2], False)
        return mask


@contextlib.contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Seed Python, NumPy and torch on the CPU inside a ``with``; afterwards they go on where they were."""
    before = random.getstate(), np.random.get_state(), torch.get_rng_state()  # noqa: NPY002
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002 (learners' code may draw from it)
    torch.set_rng_state(_state(seed))  # torch.manual_seed looks for all devices there could be, which takes 2 ms
    try:
        yield
    finally:
        random.setstate(before[0])
        np.random.set_state(before[1])  # noqa: NPY002
        torch.set_rng_state(before[2])


@cache
def _state(seed: int) -> Tensor:
    return torch.Generator().manual_seed(seed).get_state()


def drawn(shapes: str, *more: Any, dtype: torch.dtype = torch.float32, scale: float = 1.0) -> Callable[[Draw], tuple]:
    """Say which arguments a case draws, by their shapes, as in ``drawn("2 3 4; 2 5 4; mask: 3 5")``.

    Args:
        shapes: the arguments, parted by semicolons. ``2 3 4`` draws normal numbers of this shape, ``mask: 3 5`` a
            boolean mask, ``7: 2 3`` integers from 0 to 6, and ``None`` is None.
        *more: further arguments, as they are.
        dtype: of the normal numbers.
        scale: their standard deviation.

    Returns:
        What makes the arguments from a `Draw`.
    """

    def one(draw: Draw, words: str) -> Tensor | None:
        if words == "None":
            return None
        kind, _, sizes = words.rpartition(":")
        shape = [int(size) for size in sizes.split()]
        if kind:
            return draw.mask(*shape) if kind == "mask" else draw.integers(0, int(kind), *shape)
        return draw(*shape, dtype=dtype, scale=scale)

    return lambda draw: (*(one(draw, words.strip()) for words in shapes.split(";")), *copy.deepcopy(more))


def without_keys(rows: int | list[int], shapes: str, dtype: torch.dtype = torch.float64) -> Callable[[Draw], tuple]:
    """Draw arguments of which the last is a mask, whose given rows may attend to nothing."""

    def make(draw: Draw) -> tuple:
        *inputs, mask = drawn(shapes, dtype=dtype)(draw)
        mask[..., rows, :] = False
        return *inputs, mask

    return make


def call(answer: Callable, *inputs: Any) -> Any:
    """Observe what an answer returns."""
    return answer(*inputs)


@dataclass(frozen=True)
class Case:
    """One situation.

    Args:
        situation: it, in words, for the message.
        inputs: makes the arguments from a `Draw`; or the arguments, if they are not drawn.
        observe: takes an answer (the learner's, the oracle, or a wrong one) and the arguments, and returns what is
            compared. It may raise a `Finding`.
        right: what should be observed, where it is known by hand; otherwise the oracle is asked.
        within: how far numbers may be from it, where chance plays a part.
    """

    situation: str
    inputs: Callable[[Draw], tuple] | tuple = ()
    observe: Callable[..., Any] = call
    right: Any = _NOTHING
    within: float | None = None

    @property
    def needs_oracle(self) -> bool:
        """Say whether the right outcome is not given."""
        return self.right is _NOTHING

    @property
    def drawn_again(self) -> "Case | None":
        """The same situation with other numbers; None where the arguments are not drawn."""
        return replace(self, situation=f"{self.situation}, with other numbers") if callable(self.inputs) else None

    def arguments(self) -> tuple:
        """Make the arguments anew, so that no answer sees what another has done to them."""
        if not callable(self.inputs):
            return copy.deepcopy(self.inputs)
        with seeded(20170612):  # for modules that they hold
            return self.inputs(Draw(self.situation))

    def outcome(self, answer: Callable) -> Outcome:
        """Observe an answer, with one seed for whatever it draws itself; generators outside stay as they are."""
        arguments = self.arguments()
        with seeded(20170612):
            try:
                return Outcome(self.observe(answer, *arguments))
            except CheckFailed:
                raise
            except Exception as error:  # whatever an answer raises is its outcome
                return Outcome(error=error)


def part(position: int) -> Callable[..., Any]:
    """Observe one part of a pair or tuple that an answer returns."""

    def observe(answer: Callable, *inputs: Any) -> Any:
        return select(answer(*inputs), position)

    return observe


def select(result: Any, position: int | None) -> Any:
    """Take a part out of a result; None takes all of it.

    Raises:
        Finding: if there is no such part.
    """
    if position is None:
        return result
    if type(result) not in (tuple, list) or len(result) <= position:
        single = "None" if result is None else "a single result"
        what = f"a {type(result).__name__} of {len(result)}" if type(result) in (tuple, list) else single
        raise Finding(
            f"it returned {what}", "the results that the task names, in its order", "the return statement",
            "print the type of what you return",
        )  # fmt: skip
    return result[position]


def gradients(position: int | None = None) -> Callable[..., dict[str, Tensor]]:
    """Observe the gradients of a result with respect to every floating input, under a random upstream gradient.

    Args:
        position: which part of the result, where it has several.
    """

    def observe(answer: Callable, *inputs: Any) -> dict[str, Tensor]:
        leaves = [x.detach().clone().requires_grad_() if _floating(x) else x for x in inputs]
        wanted = {f"tensor argument {i}": x for i, x in enumerate(leaves, start=1) if _floating(x)}
        return gradients_of(select(answer(*leaves), position), wanted)

    observe.words = GRADIENT
    return observe


# The words for a gradient that no wrong answer explains: an observation may carry such words of its own.
GRADIENT = Wrong(
    "a part that is cut off from the graph (`.detach()`, `.item()`, `torch.no_grad()`, `torch.tensor(...)`), or a NaN "
    "that `torch.where` or `nan_to_num` hides in the result and not in its gradient",
    "the gradient is not that of the formula",
    "call `.sum().backward()` on a result of yours, and print `.grad` of each input",
)


def gradients_of(result: Any, wanted: dict[str, Tensor]) -> dict[str, Tensor]:
    """Differentiate a result, under a random upstream gradient, with respect to tensors that have names.

    Raises:
        Finding: if it is not a tensor, or no gradient flows through it.
    """
    into = upstream(require_gradient(result))
    found = torch.autograd.grad(result, list(wanted.values()), into, materialize_grads=True)  # 0 for what has no part
    return dict(zip(wanted, found, strict=True))


def upstream(result: Tensor) -> Tensor:
    """Draw the gradient that flows into a result."""
    return Draw("upstream")(*result.shape, dtype=result.dtype)


def require_gradient(result: Any) -> Tensor:
    """Return a result that is attached to the graph.

    Raises:
        Finding: if it is not a tensor, or no gradient flows through it.
    """
    if not is_tensor(result):
        seen = f"it returned an object of type {type(result).__name__}"
        raise Finding(seen, "a torch.Tensor", "the return statement", "print the type of what you return")
    if not result.requires_grad:
        raise Finding(
            "no gradient flows from the result back to the inputs",
            "a result that can be differentiated with respect to every floating input",
            "the result is cut off from the graph: `.detach()`, `.item()`, `.tolist()`, `torch.tensor(...)`, "
            "`torch.no_grad()` or numpy on the way",
            "compute with torch operations on the tensors themselves",
        )
    return result


def _floating(x: Any) -> bool:
    return isinstance(x, Tensor) and x.is_floating_point()


def refuses(argument: str = "") -> Callable[..., bool]:
    """Observe whether wrong arguments raise a ``ValueError``, which names the argument if one is given here."""

    def observe(answer: Callable, *inputs: Any) -> bool:
        hint = "the first version of the cell holds lines that look at the arguments: keep them above your own"
        try:
            answer(*inputs)
        except (Finding, CheckFailed):
            raise
        except ValueError as error:
            if argument in str(error):
                return True
            seen, cause = f"a ValueError that does not name `{argument}`", "the message says too little"
            hint = "name the argument, what was expected and what came"
        except Exception as error:
            seen, cause = f"it raised {type(error).__name__}", "the code computes before it looks at its arguments"
        else:
            seen, cause = "it returned a result", "nothing looks at the arguments"
        raise Finding(seen, "a ValueError that names the argument, what was expected and what came", cause, hint, True)

    observe.refuses = True
    return observe


def refusal(situation: str, inputs: Callable[[Draw], tuple] | tuple, argument: str = "") -> Case:
    """Make the case of wrong arguments, which must raise a ``ValueError``."""
    return Case(situation, inputs, refuses(argument), right=True)
