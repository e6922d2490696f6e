"""Multi-head attention forward and backward: with weights, without them, and torch's own.

``fused`` is ``MultiHeadAttention`` with ``need_weights=False``, ``plain`` the same module with weights, ``sdpa`` four
bare projections around ``F.scaled_dot_product_attention``, ``nn.MHA`` is ``torch.nn.MultiheadAttention`` without
weights. ``extra MiB`` is the peak memory beyond a process that makes the module and its input and does nothing.

    python -m benchmarks.attention [--device cuda]
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from benchmarks.measuring import arguments, compare, peak_memory_mib, report_memory, write
from transformer_course.masking import causal_mask
from transformer_course.multi_head_attention import MultiHeadAttention, attention_flops

# batch, heads, length, d_model, causal
CPU_SIZES = [
    (1, 8, 4096, 512, False),
    (1, 8, 2048, 512, False),
    (1, 8, 2048, 512, True),
    (4, 8, 512, 512, False),
    (16, 8, 128, 512, False),
]
GPU_SIZES = [(16_384 // length, 8, length, 512, causal) for length in (512, 2048) for causal in (False, True)]


def bare_attention(attention: MultiHeadAttention, x: Tensor, causal: bool) -> Tensor:
    """Give the same output with torch's function and no module or check around it."""
    batch, length, _ = x.shape
    query, key, value = (
        F.linear(x, projection.weight, projection.bias)
        .view(batch, length, attention.num_heads, attention.d_k)
        .transpose(1, 2)
        for projection in (attention.w_query, attention.w_key, attention.w_value)
    )
    heads = F.scaled_dot_product_attention(query, key, value, is_causal=causal)
    return F.linear(heads.transpose(1, 2).flatten(2), attention.w_output.weight, attention.w_output.bias)


def make_contenders(size: tuple[int, int, int, int, bool], device: torch.device) -> dict[str, Callable[[], None]]:
    """Make the actions: each computes the output of one input and all gradients."""
    batch, heads, length, d_model, causal = size
    dtype = torch.bfloat16 if device.type == "cuda" else torch.float32
    torch.manual_seed(0)
    ours = MultiHeadAttention(d_model, heads).to(device, dtype)
    theirs = nn.MultiheadAttention(d_model, heads, batch_first=True).to(device, dtype)
    x = torch.randn(batch, length, d_model, device=device, dtype=dtype, requires_grad=True)
    forbidden = ~causal_mask(length, device) if causal else None
    outputs = {
        "sdpa": lambda: bare_attention(ours, x, causal),
        "fused": lambda: ours(x, x, x, need_weights=False, is_causal=causal)[0],
        "plain": lambda: ours(x, x, x, is_causal=causal)[0],
        "nn.MHA": lambda: theirs(x, x, x, need_weights=False, attn_mask=forbidden, is_causal=causal)[0],
    }
    return {name: (lambda output=output: output().sum().backward()) for name, output in outputs.items()}


def measure(index: int, size: tuple[int, int, int, int, bool], device: torch.device, rounds: int) -> dict[str, Any]:
    """Measure one row of the table."""
    batch, heads, length, d_model, causal = size
    dtype = torch.bfloat16 if device.type == "cuda" else torch.float32
    result = compare(make_contenders(size, device), device, rounds, dtype)
    memory = {}
    if (length >= 4096 or device.type == "cuda") and not causal:
        peaks = {
            name: peak_memory_mib("benchmarks.attention", "--device", str(device), "--memory", name, str(index))
            for name in ("nothing", "fused", "plain")
        }
        memory = {f"{name} extra MiB": peaks[name] - peaks["nothing"] for name in ("fused", "plain")}
    macs = batch * attention_flops(length, length, d_model, heads)
    if causal:
        macs -= batch * length * length * d_model  # half of the two products
    speed = 3 * 2 * macs / result["seconds"]["fused"]
    names = {"batch": batch, "heads": heads, "length": length, "d_model": d_model, "causal": "yes" if causal else "no"}
    ratios = {f"{name}/sdpa": result["ratio"][name] for name in ("fused", "plain", "nn.MHA")}
    times = {"sdpa ms": result["seconds"]["sdpa"] * 1000, "fused ms": result["seconds"]["fused"] * 1000}
    speeds = {"fused GFLOP/s": speed / 1e9, "share of peak": speed / result["peak"]}
    return result | names | times | ratios | speeds | memory


def main() -> None:
    """Measure all sizes, or be the process whose memory is measured."""
    parser = arguments(__doc__.splitlines()[0])
    parser.add_argument("--memory", nargs=2, metavar=("NAME", "INDEX"), help="run once and report the memory")
    options = parser.parse_args()
    device = torch.device(options.device)
    sizes = GPU_SIZES if device.type == "cuda" else CPU_SIZES
    if options.memory:
        name, index = options.memory
        torch.set_num_threads(1)
        contenders = make_contenders(sizes[int(index)], device)
        if name in contenders:
            contenders[name]()
        report_memory(device)
        return
    rows: list[dict[str, Any]] = []
    for index, size in enumerate(sizes):
        rows.append(measure(index, size, device, options.rounds))
        columns = ["batch", "heads", "length", "d_model", "causal", "sdpa ms", "fused ms", "fused/sdpa", "plain/sdpa"]
        columns += ["nn.MHA/sdpa", "fused GFLOP/s", "share of peak", "fused extra MiB", "plain extra MiB"]
        write("attention", device, options.rounds, rows, columns)


if __name__ == "__main__":
    main()
