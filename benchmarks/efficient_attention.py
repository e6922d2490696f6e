"""Causal attention of two heads of width 32 over long texts, forward and backward: in blocks, in a window, linear.

``sdpa`` is torch's fused attention, ``plain`` the definition with all weights, ``blocks`` the course's
`blockwise_attention` under a causal mask, ``window`` attention to the last 128 tokens that computes only the blocks it
needs, ``linear`` the course's causal `linear_attention`, and ``cumulative`` the same from sums over all tokens.
The times of forward and of forward and backward stand in ``ms``; ``MiB`` is the peak memory, forward and backward,
beyond a process that makes the input and the mask and does nothing.

    python -m benchmarks.efficient_attention [--device cuda] [--lengths 1024 2048] [--processes 3]
"""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from benchmarks.measuring import arguments, compare, forget_peak, peak_memory_mib, report_memory, write
from transformer_course.efficient_attention import blockwise_attention, linear_attention, sliding_window_mask
from transformer_course.masking import causal_mask

HEADS, D_K, WINDOW = 2, 32, 128
LENGTHS = {"cpu": (256, 512, 1024, 2048, 4096, 8192, 16_384), "cuda": (1024, 4096, 16_384)}
# All weights of 16,384 tokens are 2 GiB, and a backward pass holds several such maps.
LONGEST = {"plain": 8192, "cumulative": 8192}


def plain(query: Tensor, key: Tensor, value: Tensor, mask: Tensor) -> Tensor:
    """Compute all scores, all weights, and then the mixture."""
    scores = query @ key.transpose(-2, -1) / math.sqrt(D_K)
    return scores.masked_fill(~mask, -math.inf).softmax(-1) @ value


def window(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """Attend to the last 128 tokens: each block of queries meets its own block of keys and the one before."""
    blocks = query.shape[-2] // WINDOW
    query, key, value = (x.unflatten(-2, (blocks, WINDOW)) for x in (query, key, value))
    key, value = (torch.cat([F.pad(x, (0, 0, 0, 0, 1, 0))[:, :, :-1], x], dim=-2) for x in (key, value))
    mask = sliding_window_mask(2 * WINDOW, WINDOW, device=query.device)[WINDOW:].repeat(blocks, 1, 1)
    mask[0, :, :WINDOW] = False  # there is nothing before the first block
    return F.scaled_dot_product_attention(query, key, value, attn_mask=mask).flatten(-3, -2)


def cumulative(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """Compute causal linear attention from one sum for each token."""
    query, key = F.elu(query) + 1, F.elu(key) + 1
    summed = (key.unsqueeze(-1) * value.unsqueeze(-2)).cumsum(-3)  # (..., length, d_k, d_v)
    mixed = (query.unsqueeze(-2) @ summed).squeeze(-2)
    return mixed / (query * key.cumsum(-2)).sum(-1, keepdim=True)


def make_contenders(length: int, device: torch.device) -> dict[str, Callable[[], Tensor]]:
    """Make the actions, each of which returns its output."""
    torch.manual_seed(0)
    query, key, value = (torch.randn(1, HEADS, length, D_K, device=device, requires_grad=True) for _ in range(3))
    mask = causal_mask(length, device)
    made = {
        "sdpa": lambda: F.scaled_dot_product_attention(query, key, value, is_causal=True),
        "plain": lambda: plain(query, key, value, mask),
        "blocks": lambda: blockwise_attention(query, key, value, mask),
        "window": lambda: window(query, key, value),
        "linear": lambda: linear_attention(query, key, value, causal=True),
        "cumulative": lambda: cumulative(query, key, value),
    }
    return {name: action for name, action in made.items() if length <= LONGEST.get(name, length)}


def measure(length: int, device: torch.device, rounds: int, processes: int) -> dict[str, Any]:
    """Measure one row of the table."""
    made = make_contenders(length, device)
    forward = compare(made, device, rounds)
    both = compare({name: (lambda run=run: run().sum().backward()) for name, run in made.items()}, device, rounds)
    row: dict[str, Any] = {"length": length, "forward": forward, "backward": both}
    for name in made:
        row[f"{name} ms"] = f"{1000 * forward['seconds'][name]:.0f} / {1000 * both['seconds'][name]:.0f}"
    options = ("--device", str(device), "--memory")
    peaks = {
        name: peak_memory_mib("benchmarks.efficient_attention", *options, name, str(length), processes=processes)
        for name in ("nothing", *made)
    }
    return row | {f"{name} MiB": peaks[name] - peaks["nothing"] for name in made}


def main() -> None:
    """Measure all lengths, or be the process whose memory is measured."""
    parser = arguments(__doc__.splitlines()[0])
    parser.add_argument("--memory", nargs=2, metavar=("NAME", "LENGTH"), help="run once and report the memory")
    parser.add_argument("--lengths", nargs="*", type=int, help="tokens of a text")
    parser.add_argument("--processes", type=int, default=3, help="whose median memory is taken")
    options = parser.parse_args()
    device = torch.device(options.device)
    if options.memory:
        name, length = options.memory
        torch.set_num_threads(1)
        for x in make_contenders(256, device).values():
            x().sum().backward()  # what libraries load at the first call
        made = make_contenders(int(length), device)
        forget_peak(device)  # making the mask took more than the mask
        if name in made:
            made[name]().sum().backward()
        report_memory(device)
        return
    names = ("sdpa", "plain", "blocks", "window", "linear", "cumulative")
    columns = ["length", *(f"{name} ms" for name in names), *(f"{name} MiB" for name in names)]
    rows: list[dict[str, Any]] = []
    for length in options.lengths or LENGTHS[device.type]:
        rows.append(measure(length, device, options.rounds, options.processes))
        write("efficient_attention", device, options.rounds, rows, columns)


if __name__ == "__main__":
    main()
