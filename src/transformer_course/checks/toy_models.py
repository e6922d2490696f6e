"""Small models whose every number is known: a cell, and a chain of words that remembers what was written."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from transformer_course.checks.reporting import draw


def toy_cell(
    d: int, d_hidden: int, seed: int, dtype: torch.dtype = torch.float64
) -> Callable[[Tensor, Tensor], Tensor]:
    """Make a recurrent cell with fixed weights."""
    from_word, from_state = (
        draw(d, d_hidden, seed=seed, dtype=dtype),
        draw(d_hidden, d_hidden, seed=seed + 1, dtype=dtype),
    )

    def cell(x: Tensor, hidden: Tensor) -> Tensor:
        return torch.tanh(x @ from_word + 0.5 * hidden @ from_state + 0.3)

    return cell


class Chain:
    """Logits for the next word, looked up with a number that every word so far has changed.

    Args:
        table: ``(states, vocab_size)``, the logits in each state.
    """

    def __init__(self, table: Tensor):
        self.table = table

    def follow(self, state: Any, token: Any) -> Any:
        """Say which state comes after this word."""
        return (state * 5 + token * 3 + 1) % len(self.table)

    def step(self, tokens: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        """Read the last words, and return logits and the states after them; the state is ``(batch, 1)``."""
        state = self.follow(state, tokens.unsqueeze(1))
        return self.table[state.squeeze(1)], state

    def step_of(self, unpack: Callable[[Any], Tensor], pack: Callable[[Tensor], Any]) -> Callable:
        """Make a step whose state has another form."""

        def step(tokens: Tensor, state: Any) -> tuple[Tensor, Any]:
            logits, state = self.step(tokens, unpack(state))
            return logits, pack(state)

        return step


def chain(states: int, vocab_size: int, seed: int, spread: float = 2.0) -> Chain:
    """Make a chain with random logits."""
    return Chain(spread * draw(states, vocab_size, seed=seed).double())


def forms(state: Tensor) -> dict[str, tuple[Any, Callable[[Any], Tensor], Callable[[Tensor], Any]]]:
    """List the forms that a state may have: the first state, how to unpack it, how to pack it."""
    return {
        "a tensor": (state, lambda x: x, lambda x: x),
        "a tuple": ((state, state + 0.5), lambda x: x[0], lambda x: (x, x + 0.5)),
        "a list": ([state], lambda x: x[0], lambda x: [x]),
        "a dict": ({"words": state}, lambda x: x["words"], lambda x: {"words": x}),
    }
