"""Weights that were trained before: what a page says of them is true on every machine.

They are kept as 16-bit numbers and used as 32-bit numbers, so a page computes with exactly the numbers in the file.
"""

from pathlib import Path

from safetensors.torch import load_model, safe_open, save_model
from torch import nn

FOLDER = Path(__file__).parent


def save_weights(name: str, model: nn.Module, metadata: dict[str, str], folder: Path = FOLDER) -> None:
    """Write the weights of a model, rounded to 16 bits; the model keeps the rounded ones.

    Args:
        name: of the file, without its ending.
        model: whose weights are kept. A tensor that is shared is written once.
        metadata: what made them.
        folder: for the file.

    Raises:
        ValueError: if a weight is too large for 16 bits.
    """
    model.half()
    if not all(tensor.isfinite().all() for tensor in model.state_dict().values()):
        raise ValueError("model: expected weights of at most 65,504, got a larger one")
    path = folder / f"{name}.safetensors"
    save_model(model, str(path), metadata)
    path.chmod(0o644)  # as the other files of the repository; the package writes for its user alone
    model.float()


def load_weights(name: str, model: nn.Module, folder: Path = FOLDER) -> nn.Module:
    """Put stored weights into a model of the same form.

    Returns:
        The model itself, in evaluation mode.
    """
    load_model(model.float(), str(folder / f"{name}.safetensors"))
    return model.eval()


def read_metadata(name: str, folder: Path = FOLDER) -> dict[str, str]:
    """Return what made the weights in a file."""
    with safe_open(str(folder / f"{name}.safetensors"), framework="pt") as file:
        return dict(file.metadata())
