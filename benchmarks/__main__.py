"""Run every benchmark: ``python -m benchmarks [--device cuda] [--rounds 5]``."""

import sys

from benchmarks import (
    attention,
    cache_parts,
    decoding,
    efficient_attention,
    grouped_queries,
    layer_norm,
    modern_block,
    training_step,
)

OF_BOTH_DEVICES = (
    layer_norm,
    attention,
    training_step,
    decoding,
    cache_parts,
    efficient_attention,
    grouped_queries,
    modern_block,
)
for benchmark in OF_BOTH_DEVICES:
    print(f"{benchmark.__name__} {' '.join(sys.argv[1:])}", flush=True)
    benchmark.main()
