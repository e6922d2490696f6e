"""Checks at the public boundary: each error names the argument, what was expected and what came."""

from torch import Tensor, broadcast_shapes
from torch import bool as torch_bool


def require_floating(name: str, tensor: Tensor) -> None:
    """Raise ``ValueError`` unless the tensor holds floating-point numbers."""
    if not tensor.is_floating_point():
        raise ValueError(f"{name}: expected a floating dtype, got {tensor.dtype}")


def require_dimensions(name: str, tensor: Tensor, at_least: int) -> None:
    """Raise ``ValueError`` if the tensor has fewer dimensions than needed."""
    if tensor.dim() < at_least:
        raise ValueError(f"{name}: expected at least {at_least} dimension(s), got shape {tuple(tensor.shape)}")


def require_mask(mask: Tensor, shape: tuple[int, ...], name: str = "mask") -> None:
    """Raise ``ValueError`` unless the mask is boolean and broadcasts to exactly ``shape``."""
    if mask.dtype != torch_bool:
        raise ValueError(f"{name}: expected dtype torch.bool (True = may be attended to), got {mask.dtype}")
    try:
        fits = broadcast_shapes(mask.shape, shape) == tuple(shape)
    except RuntimeError:
        fits = False
    if not fits:
        raise ValueError(f"{name}: expected a shape that broadcasts to {tuple(shape)}, got {tuple(mask.shape)}")
