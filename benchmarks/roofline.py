"""What this machine can compute and move in a second, and where attention lies: the roofline of chapter 17.

Two numbers of the machine: FLOP/s of a large matrix product, and bytes a second of a large copy (read and written).
Then the steps of plain attention over a text of 4096 tokens, two heads of width 32, each with the operations and the
bytes that it cannot do without: every input read once, every output written once. ``in cache`` is the same step on
pieces that fit into the cache, as many as there are in the text. ``plain`` makes new tensors, as one writes it;
``plain, kept tensors`` writes into tensors that are there already. ``system`` is the share of the time that the
operating system takes, for pages of memory that nobody has used before.

    python -m benchmarks.roofline
"""

import math
import statistics
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from benchmarks.measuring import arguments, compare, write
from transformer_course.efficient_attention import blockwise_attention
from transformer_course.masking import causal_mask

HEADS, D_K, LENGTH, BLOCK = 2, 32, 4096, 128
COPY_BYTES = 2**28
PIECE = 64  # rows of the map that are looked at together "in cache": 2 x 64 x 1024 numbers are half a MiB
SOFTMAX_FLOPS = 5  # for a number: find the largest, subtract, exp, add up, divide


def large_and_small(length: int) -> dict[str, tuple[int, int, Callable[[], Any], Callable[[], Any]]]:
    """Make each step of plain attention: operations, bytes, the step on all numbers, and on pieces in the cache."""
    torch.manual_seed(0)
    query, key, value = (torch.randn(1, HEADS, length, D_K) for _ in range(3))
    mask, hidden = ~causal_mask(length), ~causal_mask(1024)[-PIECE:]
    scores, weights = torch.randn(1, HEADS, length, length), torch.zeros(1, HEADS, length, length)
    output = torch.zeros_like(query)
    piece, small = torch.randn(1, HEADS, PIECE, 1024), torch.zeros(1, HEADS, PIECE, 1024)
    some, few, short = query[:, :, :PIECE].clone(), key[:, :, :1024].clone(), torch.zeros(1, HEADS, PIECE, D_K)
    numbers, thin = HEADS * length**2, HEADS * length * D_K
    pieces = length * length // (PIECE * 1024)

    def often(step: Callable[[], Any]) -> Callable[[], None]:
        def run() -> None:
            for _ in range(pieces):
                step()

        return run

    products = 2 * numbers * D_K
    return {
        "scores": (
            products,
            4 * (2 * thin + numbers),
            lambda: torch.matmul(query, key.mT, out=scores),
            often(lambda: torch.matmul(some, few.mT, out=piece)),
        ),
        "divide": (
            numbers,
            8 * numbers,
            lambda: scores.mul_(1.0),
            often(lambda: piece.mul_(1.0)),
        ),
        "mask": (
            numbers,
            8 * numbers + length**2,
            lambda: scores.masked_fill_(mask, -1.0),
            often(lambda: piece.masked_fill_(hidden, -1.0)),
        ),
        "softmax": (
            SOFTMAX_FLOPS * numbers,
            8 * numbers,
            lambda: torch.softmax(scores, -1, out=weights),
            often(lambda: torch.softmax(piece, -1, out=small)),
        ),
        "output": (
            products,
            4 * (2 * thin + numbers),
            lambda: torch.matmul(weights, value, out=output),
            often(lambda: torch.matmul(small, few, out=short)),
        ),
    }


def whole(length: int) -> dict[str, Callable[[], Tensor]]:
    """Make the whole of attention: plain in two ways, in blocks, and by torch."""
    torch.manual_seed(0)
    query, key, value = (torch.randn(1, HEADS, length, D_K) for _ in range(3))
    mask = causal_mask(length)
    hidden, scores = ~mask, torch.zeros(1, HEADS, length, length)
    weights, output = torch.zeros_like(scores), torch.zeros_like(query)

    def plain() -> Tensor:
        fresh = query @ key.mT / math.sqrt(D_K)
        return fresh.masked_fill(~mask, -math.inf).softmax(-1) @ value

    def kept() -> Tensor:
        torch.matmul(query, key.mT, out=scores)
        scores.mul_(1 / math.sqrt(D_K)).masked_fill_(hidden, -math.inf)
        torch.softmax(scores, -1, out=weights)
        return torch.matmul(weights, value, out=output)

    return {
        "plain": plain,
        "plain, kept tensors": kept,
        "blocks": lambda: blockwise_attention(query, key, value, mask, BLOCK),
        "sdpa, causal": lambda: F.scaled_dot_product_attention(query, key, value, is_causal=True),
        "sdpa, mask": lambda: F.scaled_dot_product_attention(query, key, value, attn_mask=mask),
    }


def copy_speed(rounds: int) -> float:
    """Measure the bytes a second of a copy that no cache can hold; bytes read and bytes written both count."""
    a, b = torch.ones(COPY_BYTES // 4), torch.zeros(COPY_BYTES // 4)
    result = compare({"copy": lambda: b.copy_(a)}, torch.device("cpu"), rounds)
    return 2 * COPY_BYTES / result["seconds"]["copy"]


def system_share(action: Callable[[], Any]) -> float:
    """Say which share of the CPU time of an action is the operating system's."""
    import resource  # not on Windows, where everything else here works

    shares = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_SELF)
        action()
        after = resource.getrusage(resource.RUSAGE_SELF)
        system = after.ru_stime - before.ru_stime
        shares.append(system / (system + after.ru_utime - before.ru_utime))
    return statistics.median(shares)


def counted(name: str, length: int) -> tuple[int, int]:
    """Count the operations and bytes of the whole, for blocks as if the scores of a block never left the cache."""
    numbers, thin = HEADS * length**2, HEADS * length * D_K
    flops = 4 * numbers * D_K + (SOFTMAX_FLOPS + 2) * numbers
    if name.startswith("plain"):
        # Scores written, read and written three times (divided, masked, softmax), read by the product with the values.
        return flops, 4 * (4 * thin + 8 * numbers) + length**2
    if name.startswith("sdpa"):  # what goes in and what comes out, once
        return flops, 16 * thin + (length**2 if name == "sdpa, mask" else 0)
    # For each block of keys: queries read, the mixture read and written; keys and values once.
    return flops, 4 * (2 * thin + 3 * thin * math.ceil(length / BLOCK)) + length**2


def main() -> None:
    """Measure the machine, the steps and the whole."""
    parser = arguments(__doc__.splitlines()[0])
    parser.add_argument("--length", type=int, default=LENGTH)
    options = parser.parse_args()
    if options.device != "cpu":
        parser.error("the roofline is measured on the CPU only")
    device, length = torch.device("cpu"), options.length
    speed = copy_speed(options.rounds)
    rows: list[dict[str, Any]] = []
    columns = [
        "what",
        "GFLOP",
        "MB",
        "ms",
        "in cache ms",
        "GFLOP/s",
        "FLOP for a byte",
        "system",
        "peak GFLOP/s",
        "GB/s",
    ]

    def add(name: str, flops: int, moved: int, result: dict[str, Any], **more: Any) -> None:
        spent = result["seconds"][name]
        row = {"what": name, "length": length, "flops": flops, "bytes": moved, "seconds": spent, **more}
        row |= {"GFLOP": flops / 1e9, "MB": moved / 1e6, "ms": 1000 * spent, "GFLOP/s": flops / spent / 1e9}
        row |= {"FLOP for a byte": flops / moved, "peak": result["peak"], "copy": speed}
        rows.append(row | {"peak GFLOP/s": result["peak"] / 1e9, "GB/s": speed / 1e9})
        write("roofline", device, options.rounds, rows, columns)

    for name, (flops, moved, step, pieces) in large_and_small(length).items():
        result = compare({name: step, "in cache": pieces}, device, options.rounds)
        cached = result["seconds"]["in cache"]
        add(name, flops, moved, result, **{"cached seconds": cached, "in cache ms": 1000 * cached})
    actions = whole(length)
    result = compare(actions, device, options.rounds)
    for name, action in actions.items():
        add(name, *counted(name, length), result, system=system_share(action))


if __name__ == "__main__":
    main()
