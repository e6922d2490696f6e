"""A training step (forward, loss, backward, Adam) of the course's Transformer and of ``torch.nn.Transformer``.

Both have the course's embedding and output layer, so that what differs is what lies between. Norm first, so that both
have the same norms. FLOPs count the matrix products only, two for each multiply-accumulate, forward and twice that
backward.

    python -m benchmarks.training_step [--device cuda]
"""

import warnings
from dataclasses import asdict, dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from benchmarks.measuring import arguments, compare, peak_memory_mib, report_memory, write
from transformer_course.common.tokens import PAD
from transformer_course.masking import causal_mask
from transformer_course.multi_head_attention import attention_flops
from transformer_course.positional_encoding import TransformerEmbedding
from transformer_course.transformer import Transformer, padding_mask_or_none


@dataclass
class Size:
    """One setting: sentences, their length, and the model."""

    batch: int
    length: int
    d_model: int
    heads: int
    layers: int
    vocab_size: int
    dropout: float = 0.0
    padded: bool = False


CPU_SIZES = [
    Size(64, 16, 128, 4, 2, 440),
    Size(64, 16, 128, 4, 2, 440, padded=True),
    Size(64, 16, 128, 4, 2, 440, dropout=0.1),
    Size(64, 32, 128, 4, 2, 4000),
    Size(32, 64, 256, 8, 3, 4000),
    Size(8, 256, 256, 8, 2, 4000),
    Size(2, 1024, 256, 8, 1, 440),
]
GPU_SIZES = [
    Size(32, 512, 512, 8, 6, 32_000),
    Size(32, 512, 512, 8, 6, 32_000, padded=True),
    Size(32, 512, 1024, 16, 6, 32_000),
]


class TorchTransformer(nn.Module):
    """``nn.Transformer`` between the embeddings and the output layer of the course."""

    def __init__(self, size: Size):
        super().__init__()
        self.source_embedding = TransformerEmbedding(size.vocab_size, size.d_model, size.length, size.dropout)
        self.target_embedding = TransformerEmbedding(size.vocab_size, size.d_model, size.length, size.dropout)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # nested tensors, a matter of inference
            self.transformer = nn.Transformer(
                size.d_model,
                size.heads,
                size.layers,
                size.layers,
                4 * size.d_model,
                size.dropout,
                norm_first=True,
                batch_first=True,
            )
        self.output_layer = nn.Linear(size.d_model, size.vocab_size)

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Give the logits, with the masks in the form that torch finds fastest."""
        source_padding, target_padding = (
            None if padding_mask_or_none(tokens) is None else tokens == PAD for tokens in (source, target)
        )
        decoded = self.transformer(
            self.source_embedding(source),
            self.target_embedding(target),
            tgt_mask=~causal_mask(target.shape[1], target.device),
            src_key_padding_mask=source_padding,
            tgt_key_padding_mask=target_padding,
            memory_key_padding_mask=source_padding,
            tgt_is_causal=True,
        )
        return self.output_layer(decoded)


def make_model(name: str, size: Size) -> nn.Module:
    """Make one of the two contenders."""
    if name == "torch":
        return TorchTransformer(size)
    return Transformer(
        size.vocab_size,
        size.vocab_size,
        size.d_model,
        size.heads,
        size.layers,
        size.layers,
        4 * size.d_model,
        size.dropout,
        norm_first=True,
        max_length=size.length,
    )


def make_step(name: str, size: Size, device: torch.device):
    """Make an action that trains one contender by one step on fixed random sentences."""
    torch.manual_seed(0)
    source, labels = (torch.randint(4, size.vocab_size, (size.batch, size.length), device=device) for _ in range(2))
    if size.padded:
        lengths = torch.linspace(size.length // 2, size.length, size.batch, device=device).long()
        padding = torch.arange(size.length, device=device) >= lengths[:, None]
        source, labels = source.masked_fill(padding, PAD), labels.masked_fill(padding, PAD)
    target = labels.roll(1, dims=1)
    model = make_model(name, size).to(device).train()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-4)
    half = torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda")

    def step() -> None:
        with half:
            logits = model(source, target)
            loss = F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=PAD, label_smoothing=0.1)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    return step


def training_flops(size: Size) -> int:
    """Count the floating-point operations of the matrix products of one step."""
    attention = attention_flops(size.length, size.length, size.d_model, size.heads)
    feed_forward = 8 * size.length * size.d_model**2
    sentence = size.layers * (3 * attention + 2 * feed_forward) + size.length * size.d_model * size.vocab_size
    return 3 * 2 * size.batch * sentence


def measure(index: int, size: Size, device: torch.device, rounds: int) -> dict[str, Any]:
    """Measure one row of the table."""
    steps = {name: make_step(name, size, device) for name in ("course", "torch")}
    dtype = torch.bfloat16 if device.type == "cuda" else torch.float32
    result = compare(steps, device, rounds, dtype)
    memory = {
        name: peak_memory_mib("benchmarks.training_step", "--device", str(device), "--memory", name, str(index))
        for name in steps
    }
    speed = training_flops(size) / result["seconds"]["course"]
    return (
        asdict(size)
        | result
        | {
            "course ms": result["seconds"]["course"] * 1000,
            "torch ms": result["seconds"]["torch"] * 1000,
            "torch/course": result["ratio"]["torch"],
            "lowest": result["ratio_range"]["torch"][0],
            "highest": result["ratio_range"]["torch"][1],
            "course GFLOP/s": speed / 1e9,
            "share of peak": speed / result["peak"],
            "course MiB": memory["course"],
            "torch MiB": memory["torch"],
        }
    )


def main() -> None:
    """Measure all sizes, or be the process whose memory is measured."""
    parser = arguments(__doc__.splitlines()[0])
    parser.add_argument("--memory", nargs=2, metavar=("NAME", "INDEX"), help="run a few steps and report the memory")
    options = parser.parse_args()
    device = torch.device(options.device)
    sizes = GPU_SIZES if device.type == "cuda" else CPU_SIZES
    if options.memory:
        name, index = options.memory
        step = make_step(name, sizes[int(index)], device)
        torch.set_num_threads(1)
        for _ in range(2):
            step()
        report_memory(device)
        return
    rows: list[dict[str, Any]] = []
    for index, size in enumerate(sizes):
        rows.append(measure(index, size, device, options.rounds))
        columns = ["batch", "length", "d_model", "heads", "layers", "vocab_size", "dropout", "padded", "course ms"]
        columns += ["torch ms", "torch/course", "lowest", "highest", "course GFLOP/s", "share of peak"]
        write("training_step", device, options.rounds, rows, [*columns, "course MiB", "torch MiB"])


if __name__ == "__main__":
    main()
