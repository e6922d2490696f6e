"""States of a decoder: a tensor, or a tuple, list or dict of tensors, with sentences or hypotheses in dimension 0."""

from collections.abc import Callable
from typing import Any

from torch import Tensor

from transformer_course.common.validation import require_shape


def map_tensors(change: Callable[[Tensor], Any], state: Any) -> Any:
    """Apply a function to every tensor of a state, and keep its form.

    Args:
        change: takes a tensor, and returns what stands in its place.
        state: a tensor, or a tuple, list or dict of states; None stays None.

    Returns:
        A new state of the same form.

    Raises:
        ValueError: if the state holds something else.
    """
    if isinstance(state, Tensor):
        return change(state)
    if isinstance(state, dict):
        return {name: map_tensors(change, part) for name, part in state.items()}
    if isinstance(state, tuple) and hasattr(state, "_fields"):
        return type(state)(*(map_tensors(change, part) for part in state))
    if isinstance(state, tuple | list):
        return type(state)(map_tensors(change, part) for part in state)
    if state is None:
        return None
    raise ValueError(f"state: expected a tensor, or a tuple, list or dict of tensors, got {type(state).__name__}")


def require_rows(name: str, state: Any, number: int) -> None:
    """Raise ``ValueError`` unless every tensor of a state has this size in dimension 0."""
    map_tensors(lambda tensor: require_shape(name, tensor, (number, *tensor.shape[1:])), state)
