"""Weights that were trained before and lie in the repository: what a page says of them is true on every machine.

They are kept as 16-bit numbers and used as 32-bit numbers, so a page computes with exactly the numbers in the file.
"""

from pathlib import Path

from safetensors.torch import load_model, safe_open, save_model
from torch import nn


def save_weights(path: Path | str, model: nn.Module, metadata: dict[str, str]) -> None:
    """Write the weights of a model, rounded to 16 bits; the model keeps the rounded ones.

    Args:
        path: of the file, which ends with ``.safetensors``.
        model: whose weights are kept. A tensor that is shared is written once.
        metadata: what made them.

    Raises:
        ValueError: if a weight is too large for 16 bits.
    """
    model.half()
    if not all(tensor.isfinite().all() for tensor in model.state_dict().values()):
        raise ValueError("model: expected weights of at most 65,504, got a larger one")
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    save_model(model, str(path), metadata)
    model.float()


def load_weights(path: Path | str, model: nn.Module) -> nn.Module:
    """Put stored weights into a model of the same form.

    Returns:
        The model itself, in evaluation mode.
    """
    load_model(model.float(), str(path))
    return model.eval()


def read_metadata(path: Path | str) -> dict[str, str]:
    """Return what made the weights in a file."""
    with safe_open(str(path), framework="pt") as file:
        return dict(file.metadata())
