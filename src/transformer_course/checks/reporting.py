"""The words of a check: what passed, and what is likely wrong.

A message has four parts: what was observed, what was expected in words, the likely cause, one thing to try. It never
holds the expected numbers.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NoReturn

import torch
from torch import Tensor

# How far a right answer may be from the oracle: (relative, absolute).
TOLERANCES = {
    torch.float64: (1e-7, 1e-9),
    torch.float32: (1e-4, 1e-5),
    torch.float16: (1e-2, 2e-3),
    torch.bfloat16: (5e-2, 1e-2),
}


class CheckFailed(AssertionError):
    """A check that did not pass. Jupyter shows its message alone, without the stack of calls inside the check."""

    def _render_traceback_(self) -> list[str]:
        return str(self).splitlines()


@dataclass
class Mistake:
    """One known mistake and how it shows.

    Args:
        shows: what code with this mistake returns for the inputs of the check; or a function that says of a result,
            which has the right shape and dtype, whether it has the marks of this mistake.
        observed: what is to be seen in the result, in words.
        cause: the likely mistake, in words.
        hint: one thing to try.
    """

    shows: Tensor | Callable[[Tensor], bool]
    observed: str
    cause: str
    hint: str


def passed(name: str, what: str) -> None:
    """Print the one line of a passed check."""
    print(f"passed  {name}: {what}")


def fail(name: str, situation: str, observed: str, expected: str, cause: str, hint: str) -> NoReturn:
    """Raise `CheckFailed` with the four parts of a message."""
    raise CheckFailed(
        f"{name}: {situation}\n"
        f"  observed:      {observed}\n"
        f"  expected:      {expected}\n"
        f"  likely cause:  {cause}\n"
        f"  try:           {hint}"
    )


def draw(*shape: int, seed: int = 0, dtype: torch.dtype = torch.float32) -> Tensor:
    """Draw standard normal numbers that are the same on every machine and leave torch's own generator alone."""
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64).to(dtype)


def same(observed: Tensor, expected: Tensor) -> bool:
    """Compare shape, dtype and values, with the tolerance of the dtype; NaN equals NaN."""
    if observed.shape != expected.shape or observed.dtype != expected.dtype:
        return False
    relative, absolute = TOLERANCES.get(expected.dtype, (0.0, 0.0))
    return torch.allclose(observed.detach(), expected.detach(), rtol=relative, atol=absolute, equal_nan=True)


def describe(observed: Tensor, expected: Tensor) -> str:
    """Say in words how a result is wrong, without the right numbers."""
    if observed.isnan().any() and not expected.isnan().any():
        share = "all" if observed.isnan().all() else f"{int(observed.isnan().sum())} of {observed.numel()}"
        return f"{share} numbers are NaN"
    if observed.isinf().any() and not expected.isinf().any():
        return f"{int(observed.isinf().sum())} of {observed.numel()} numbers are infinite"
    wrong = ~torch.isclose(observed.detach(), expected.detach(), *TOLERANCES.get(expected.dtype, (0.0, 0.0)))
    return f"{int(wrong.sum())} of {observed.numel()} numbers are not right"


def fitting(observed: Tensor, mistakes: Sequence[Mistake]) -> list[Mistake]:
    """Find the mistakes that give this very result; if there is none, those whose marks it has."""
    exact = [each for each in mistakes if isinstance(each.shows, Tensor) and same(observed, each.shows)]
    return exact or [each for each in mistakes if not isinstance(each.shows, Tensor) and each.shows(observed)]


def nearly(observed: Tensor, expected: Tensor) -> bool:
    """Say whether a result is wrong by less than a thousandth of its largest number."""
    if not expected.is_floating_point():
        return False
    difference = (observed.detach() - expected.detach()).abs()
    return bool(expected.numel() and (difference.max() < 1e-3 * expected.detach().abs().max()))
