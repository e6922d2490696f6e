"""Models that the checks of exercise 02 hand to a learner's code: a cell, and a chain of words, both without chance."""

from typing import Any

import torch
from torch import Tensor

from course_checks.cases import Draw
from course_checks.words import Finding


class Cell:
    """A recurrent cell with fixed numbers: ``cell(x, hidden) -> hidden``."""

    def __init__(self, d: int, d_hidden: int, dtype: torch.dtype = torch.float64):
        draw = Draw(f"cell of {d} and {d_hidden}")
        self.from_word, self.from_state = draw(d, d_hidden, dtype=dtype), draw(d_hidden, d_hidden, dtype=dtype)

    def __call__(self, x: Tensor, hidden: Tensor) -> Tensor:
        """Move the state over one word."""
        sizes = self.from_word.shape
        if x.dim() != 2 or hidden.dim() != 2 or len(x) != len(hidden) or (x.shape[1], hidden.shape[1]) != sizes:
            raise Finding(
                f"`cell` was called with x of shape {tuple(x.shape)} and hidden of shape {tuple(hidden.shape)}",
                f"x of shape (batch, {sizes[0]}) and hidden of shape (batch, {sizes[1]})",
                "the word is cut out of `embedded` along another dimension, or a dimension of size 1 is kept",
                "print the shape of what you cut out of `embedded` for one position",
            )
        return torch.tanh(x @ self.from_word + 0.5 * hidden @ self.from_state + 0.3)


class Chain:
    """A ``step`` that looks the logits up with a number, which every word so far has changed.

    Args:
        table: ``(numbers, vocab_size)``, the logits at each number.
        starts: the number of each sentence at the start.
        form: what the state is: "a tensor", "a tuple", "a list" or "a dict".
    """

    def __init__(self, table: Tensor, starts: list[int], form: str = "a tensor"):
        self.table, self.starts, self.form = table, starts, form
        self.calls, self.most_rows = 0, 0
        self.state = self._pack(torch.tensor(starts, dtype=torch.long))

    def follow(self, number: Any, token: Any) -> Any:
        """Say which number comes after this word."""
        return (number * 5 + token * 3 + 1) % len(self.table)

    def _pack(self, numbers: Tensor) -> Any:
        column, high, low = numbers[:, None], numbers[:, None] // 4, (numbers % 4)[:, None, None].repeat(1, 2, 3)
        return {"a tensor": column, "a list": [column], "a tuple": (low, high)}.get(
            self.form, {"low": low, "high": high}
        )

    def __call__(self, tokens: Tensor, state: Any) -> tuple[Tensor, Any]:
        """Read the last words, and return the logits of the next ones and the state after them."""
        if not isinstance(tokens, Tensor) or tokens.dim() != 1 or tokens.dtype != torch.long:
            what = f"shape {tuple(tokens.shape)}, {tokens.dtype}" if isinstance(tokens, Tensor) else str(type(tokens))
            raise Finding(f"`step` was called with tokens of {what}",
                          "a tensor of shape (rows,), of dtype torch.long: the last word of each sentence",
                          "the tokens keep a dimension of size 1, hold all words so far, or are no integers",
                          "print the shape and the dtype of what you hand to `step`")  # fmt: skip
        parts = list(state.values()) if isinstance(state, dict) else [state] if isinstance(state, Tensor) else state
        if type(state) is not type(self.state) or any(getattr(part, "dtype", None) != torch.long for part in parts):
            raise Finding("`step` was called with something else than its state",
                          "the state that the last call of `step` returned, or its rows in another order",
                          "something else is handed on in the place of the state, or its form is changed",
                          "print the type of the state before each call")  # fmt: skip
        rows = {len(part) for part in parts}
        if rows != {len(tokens)}:
            raise Finding(f"`step` was called with {len(tokens)} tokens and {' and '.join(map(str, rows))} state rows",
                          "a state with one row for each token, in every tensor",
                          "the rows of the state do not follow the hypotheses, in one of its tensors or in all (a "
                          "function such as `map_tensors` gives a new state, and leaves the old one as it is)",
                          "print how many rows tokens and state have before each call of `step`")  # fmt: skip
        self.calls, self.most_rows = self.calls + 1, max(self.most_rows, len(tokens))
        if isinstance(state, dict | tuple):
            low, high = parts if isinstance(state, tuple) else (state["low"], state["high"])
            numbers = 4 * high[:, 0] + low[:, 0, 0]
        else:
            numbers = parts[0][:, 0]
        numbers = self.follow(numbers, tokens)
        return self.table[numbers], self._pack(numbers)
