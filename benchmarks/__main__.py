"""Run every benchmark: ``python -m benchmarks [--device cuda] [--rounds 5]``."""

import sys

from benchmarks import attention, cache_parts, decoding, efficient_attention, layer_norm, modern_block, training_step

for benchmark in (layer_norm, attention, training_step, decoding, cache_parts, efficient_attention, modern_block):
    print(f"{benchmark.__name__} {' '.join(sys.argv[1:])}", flush=True)
    benchmark.main()
