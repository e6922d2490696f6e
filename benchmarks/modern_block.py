"""What the changes since 2017 cost: one causal block forward, and forward and backward.

``2017`` is the course's ``EncoderBlock`` with its norms first and GELU, ``layer`` torch's own layer of that kind,
``modern`` is ``ModernBlock`` with as many groups as heads and a network of as many weights, ``2 groups`` and
``qk norm`` change one thing more each, and in ``no turn`` queries and keys do not turn. Ratios refer to the first. The
rest of the row are parts: ``layer norm`` and ``rms norm`` are the course's modules, ``rms lines`` is ``rms_norm`` line
by line, ``rotate`` turns the queries of one block.

    python -m benchmarks.modern_block [--device cuda]
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import torch
from torch import Tensor, nn

from benchmarks.measuring import arguments, compare, write
from transformer_course.masking import causal_mask
from transformer_course.modern_transformer import ModernBlock, RMSNorm, rms_norm, rotate
from transformer_course.transformer_blocks import EncoderBlock, LayerNorm

BLOCKS = ("2017", "layer", "modern", "2 groups", "qk norm", "no turn")
PARTS = ("layer norm", "rms norm", "rms lines", "rotate")


@dataclass
class Size:
    """One setting: texts, their length, and the block."""

    batch: int
    length: int
    d_model: int
    heads: int


SIZES = {
    "cpu": [Size(8, 64, 96, 4), Size(4, 256, 256, 8), Size(1, 1024, 256, 8)],
    "cuda": [Size(8, 1024, 1024, 16), Size(2, 4096, 2048, 16)],
}


class NoTurn(ModernBlock):
    """A modern block that does not know where its words stand."""

    def project(self, x: Tensor, positions: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Project without turning."""
        heads = ((self.w_query, self.num_heads), (self.w_key, self.num_groups), (self.w_value, self.num_groups))
        return tuple(layer(x).unflatten(-1, (number, self.d_k)).transpose(1, 2) for layer, number in heads)


def make_blocks(size: Size, device: torch.device) -> dict[str, Callable[[], Tensor]]:
    """Make an action for each block, which returns its output."""
    torch.manual_seed(0)
    d_model, heads, d_ff = size.d_model, size.heads, 8 * size.d_model // 3
    x = torch.randn(size.batch, size.length, d_model, device=device, requires_grad=True)
    mask = causal_mask(size.length, device)
    old = EncoderBlock(d_model, heads, 4 * d_model, activation="gelu", norm_first=True)
    layer = nn.TransformerEncoderLayer(
        d_model, heads, 4 * d_model, dropout=0.0, activation="gelu", batch_first=True, norm_first=True
    )
    modern = {
        "modern": ModernBlock(d_model, heads, heads, d_ff),
        "2 groups": ModernBlock(d_model, heads, 2, d_ff),
        "qk norm": ModernBlock(d_model, heads, heads, d_ff, qk_norm=True),
        "no turn": NoTurn(d_model, heads, heads, d_ff),
    }
    for block in (old, layer, *modern.values()):
        block.to(device)
    made = {"2017": lambda: old(x, is_causal=True), "layer": lambda: layer(x, src_mask=~mask, is_causal=True)}
    return made | {name: (lambda block=block: block(x, is_causal=True)) for name, block in modern.items()}


def make_parts(size: Size, device: torch.device) -> dict[str, Callable[[], Tensor]]:
    """Make an action for each part, which returns its output."""
    torch.manual_seed(0)
    x = torch.randn(size.batch, size.length, size.d_model, device=device, requires_grad=True)
    query = torch.randn(
        size.batch, size.heads, size.length, size.d_model // size.heads, device=device, requires_grad=True
    )
    places, old, new = torch.arange(size.length), LayerNorm(size.d_model).to(device), RMSNorm(size.d_model).to(device)
    return {
        "layer norm": lambda: old(x),
        "rms norm": lambda: new(x),
        "rms lines": lambda: rms_norm(x, new.weight),
        "rotate": lambda: rotate(query, places),
    }


def measure(size: Size, device: torch.device, rounds: int) -> dict[str, Any]:
    """Measure one row of the table."""
    row: dict[str, Any] = asdict(size)
    for kind, made in (("blocks", make_blocks(size, device)), ("parts", make_parts(size, device))):
        forward = compare(made, device, rounds)
        both = compare({name: (lambda run=run: run().sum().backward()) for name, run in made.items()}, device, rounds)
        row |= {f"{kind} forward": forward, f"{kind} backward": both}
        for name in made:
            row[f"{name} ms"] = f"{1000 * forward['seconds'][name]:.2f} / {1000 * both['seconds'][name]:.2f}"
    return row | {"modern/2017": row["blocks backward"]["ratio"]["modern"]}


def main() -> None:
    """Measure all sizes."""
    options = arguments(__doc__.splitlines()[0]).parse_args()
    device = torch.device(options.device)
    rows: list[dict[str, Any]] = []
    for size in SIZES[device.type]:
        rows.append(measure(size, device, options.rounds))
        columns = ["batch", "length", "d_model", "heads", *(f"{name} ms" for name in (*BLOCKS, *PARTS)), "modern/2017"]
        write("modern_block", device, options.rounds, rows, columns)


if __name__ == "__main__":
    main()
