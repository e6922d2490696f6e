"""Run every benchmark: ``python -m benchmarks [--device cuda] [--rounds 5]``."""

import sys

from benchmarks import (
    attention,
    cache_parts,
    decoding,
    efficient_attention,
    grouped_queries,
    layer_norm,
    training_step,
)

for benchmark in (layer_norm, attention, training_step, decoding, cache_parts, efficient_attention, grouped_queries):
    print(f"{benchmark.__name__} {' '.join(sys.argv[1:])}", flush=True)
    benchmark.main()
