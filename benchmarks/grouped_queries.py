"""One step of decoding with heads that share their keys: a query over a kept text, by the number of groups.

One token, 32 query heads of width 128, as in Llama 2 7B and Llama 3 8B, over the cache of one layer, in float32:
2 x length x groups x 128 numbers. ``groups`` is the course's `grouped_query_attention`; ``repeated`` copies keys and
values with `repeat_interleave` for all heads and then calls torch; ``enable_gqa`` is torch's own way.

    python -m benchmarks.grouped_queries [--device cuda]
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from benchmarks.measuring import arguments, compare, write
from transformer_course.efficient_attention import cache_bytes, grouped_query_attention

HEADS, D_K = 32, 128
LENGTHS, GROUPS = (1024, 4096, 16_384), (32, 8, 1)


def make_contenders(length: int, groups: int, device: torch.device) -> dict[str, Callable[[], Tensor]]:
    """Make the ways to attend to one cache; the first one is the course's."""
    torch.manual_seed(0)
    query = torch.randn(1, HEADS, 1, D_K, device=device)
    key, value = (torch.randn(1, groups, length, D_K, device=device) for _ in range(2))

    def repeated() -> Tensor:
        keys, values = key, value
        if groups < HEADS:
            keys, values = (x.repeat_interleave(HEADS // groups, dim=1) for x in (key, value))
        return F.scaled_dot_product_attention(query, keys, values)

    return {
        "groups": lambda: grouped_query_attention(query, key, value),
        "repeated": repeated,
        "enable_gqa": lambda: F.scaled_dot_product_attention(query, key, value, enable_gqa=True),
    }


def main() -> None:
    """Measure all lengths and numbers of groups."""
    options = arguments(__doc__.splitlines()[0]).parse_args()
    device = torch.device(options.device)
    rows: list[dict[str, Any]] = []
    for length in LENGTHS:
        for groups in GROUPS:
            kept = cache_bytes(length, 1, groups, D_K, bytes_per_number=4)
            with torch.inference_mode():
                result = compare(make_contenders(length, groups, device), device, options.rounds)
            row = {"length": length, "groups": groups, "cache MiB": kept / 2**20, **result}
            row |= {f"{name} ms": 1000 * spent for name, spent in result["seconds"].items()}
            rows.append(row | {"GB/s": kept / result["seconds"]["groups"] / 1e9})
            columns = ["length", "groups", "cache MiB", "groups ms", "repeated ms", "enable_gqa ms", "GB/s"]
            write("grouped_queries", device, options.rounds, rows, columns)


if __name__ == "__main__":
    main()
