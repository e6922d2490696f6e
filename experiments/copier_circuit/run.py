"""The circuits of the small copiers: `python -m experiments.copier_circuit`. About twelve minutes, nearly all training.

The models are those of `experiments.induction` with two layers, for three seeds, rounded to 16 bits as those are that
the page loads (`experiments.weights`).
"""

import torch

from experiments.copier_circuit.circuit import (
    MOVED_BY,
    accuracy_without,
    answers_out_of_order,
    copies_with_moved_output,
    some_of,
)
from experiments.induction.copying import NUM_HEADS, held_out_texts, measure, read, repeated_tokens, train
from experiments.results import Results

KINDS, SEEDS = ("attention only", "language model"), (0, 1, 2)
NUM_TEXTS, PERIOD = 200, 24
SETTINGS = {"texts": NUM_TEXTS, "period": PERIOD, "moved_by": MOVED_BY}


def study(model) -> dict:
    """Measure all of one copier."""
    tokens = held_out_texts()
    generator = torch.Generator().manual_seed(1_000_003)
    first = repeated_tokens(NUM_TEXTS, PERIOD, generator)[:, :PERIOD]
    asked, answer, right = answers_out_of_order(model, first, generator)
    written = asked >= 2 * answer
    whole = measure(model, tokens)
    maps = read(model, tokens[:, :-1])[1].mean(dim=0)  # (layers, heads, length, length)
    return {
        "loss": whole.repeated,
        "accuracy": whole.accuracy,
        "previous": whole.previous,
        "induction": whole.induction,
        "without": [
            {"layer": layer, "heads": heads, "accuracy": accuracy_without(model, layer, heads, tokens)}
            for layer in range(2)
            for heads in some_of(NUM_HEADS)
        ],
        "moved": [
            {"heads": heads, "right_and_behind": copies_with_moved_output(model, heads, tokens)}
            for heads in some_of(NUM_HEADS)
        ],
        "reads": maps[0].argmax(dim=-1).tolist(),
        "out_of_order": right.double().mean().item(),
        "out_of_order_written": right[written].double().mean().item(),
        "out_of_order_not_yet": right[~written].double().mean().item(),
    }


def main() -> None:
    """Run what is missing in the result file."""
    torch.set_num_threads(1)
    results = Results("copier_circuit", SETTINGS)
    for kind in KINDS:
        for seed in SEEDS:
            if not results.has(kind=kind, seed=seed):
                model, _, _ = train(kind, 2, seed)
                results.add(kind=kind, seed=seed, **study(model.half().float().eval()))
