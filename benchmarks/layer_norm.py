"""Layer normalisation forward and backward: the lines of chapter 09, and the kernel of torch behind ``LayerNorm``.

python -m benchmarks.layer_norm [--device cuda]
"""

from typing import Any

import torch

from benchmarks.measuring import arguments, compare, write
from transformer_course.transformer_blocks import LayerNorm, layer_norm

SIZES = [(64, 16, 128), (32, 64, 256), (16, 128, 512)]  # batch, length, d_model


def measure(batch: int, length: int, d_model: int, device: torch.device, rounds: int) -> dict[str, Any]:
    """Measure one row of the table."""
    module = LayerNorm(d_model).to(device)
    x = torch.randn(batch, length, d_model, device=device, requires_grad=True)
    upstream = torch.randn_like(x)
    contenders = {
        "module": lambda: module(x).backward(upstream),
        "formula": lambda: layer_norm(x, module.weight, module.bias).backward(upstream),
    }
    result = compare(contenders, device, rounds)
    milliseconds = {f"{name} ms": value * 1000 for name, value in result["seconds"].items()}
    return (
        result
        | {"batch": batch, "length": length, "d_model": d_model}
        | milliseconds
        | {"formula/module": result["ratio"]["formula"]}
    )


def main() -> None:
    """Measure all sizes."""
    options = arguments(__doc__.splitlines()[0]).parse_args()
    device = torch.device(options.device)
    rows = [measure(*size, device, options.rounds) for size in SIZES]
    columns = ["batch", "length", "d_model", "module ms", "formula ms", "formula/module"]
    write("layer_norm", device, options.rounds, rows, columns)


if __name__ == "__main__":
    main()
