"""Has not begun."""

from torch import Tensor, nn

SAYS = "NotImplementedError"


def share_translated(model: nn.Module, source: Tensor, target: Tensor) -> float:
    """Let the model write, and return the share of sentences without a mistake."""
    raise NotImplementedError
