"""Heads that learn to copy, watched: `python -m experiments.induction`.

Random tokens written twice (`copying.py`): attention alone with one and with two layers, and the language
model of chapter 13, for three seeds. About four minutes.
"""

import torch
from torch import Tensor, nn

from experiments.induction.copying import measure, repeated_tokens, shown_text, train
from experiments.results import Results

MODELS = (("attention only", 1), ("attention only", 2), ("language model", 2))
SEEDS, UPDATES, EVERY = (0, 1, 2), 1200, 25
PERIODS = (24, 32, 40, 50)
SETTINGS = {"updates": UPDATES, "every": EVERY, "periods": PERIODS, "learning_rate": 2e-3, "batch": 32}
MAPS_OF = {"kind": "attention only", "num_layers": 2, "seed": 0}


def best_head(scores: list[list[float]], layer: int) -> int:
    """Return the head of a layer with the highest score."""
    return max(range(len(scores[layer])), key=scores[layer].__getitem__)


def accuracies(model: nn.Module) -> dict[str, float]:
    """Measure how often the second half is predicted right, for periods in and beyond those of the training."""
    generator = torch.Generator().manual_seed(1_000_002)
    return {
        str(period): measure(model, repeated_tokens(16, period, generator)).accuracy
        for period in PERIODS
        if not hasattr(model, "max_length") or 2 * period <= model.max_length
    }


def in_percent(maps: Tensor) -> list[list[str]]:
    """Write maps ``(times, length, length)`` as rows of whole percents."""
    return [[" ".join(f"{100 * x:.0f}" for x in row) for row in at] for at in maps.tolist()]


def main() -> None:
    """Run what is missing in the result file."""
    torch.set_num_threads(1)
    results = Results("induction", SETTINGS)
    for seed in SEEDS:
        for kind, num_layers in MODELS:
            key = {"kind": kind, "num_layers": num_layers, "seed": seed}
            if results.has(**key):
                continue
            keep = (0, UPDATES) if key == MAPS_OF else None
            model, measured, maps = train(kind, num_layers, seed, UPDATES, EVERY, keep=keep)
            last, more = measured[-1], {}
            induction, previous = best_head(last.induction, num_layers - 1), best_head(last.previous, 0)
            if keep:
                # Around the update after which the loss of the second half has fallen most.
                falls = [one.repeated - other.repeated for one, other in zip(measured, measured[1:], strict=False)]
                drop = falls.index(max(falls))
                near = measured[max(drop - 6, 0) : drop + 8]
                more = {
                    "map_updates": [each.update for each in near],
                    "map_tokens": shown_text()[0].tolist(),
                    "previous_maps": in_percent(torch.stack([maps[each.update][0, previous] for each in near])),
                    "induction_maps": in_percent(torch.stack([maps[each.update][-1, induction] for each in near])),
                }
            results.add(
                **key,
                induction_head=induction,
                previous_head=previous,
                accuracies=accuracies(model),
                measured=[
                    {
                        "update": each.update,
                        "first": round(each.first, 3),
                        "repeated": round(each.repeated, 3),
                        "accuracy": round(each.accuracy, 3),
                        "induction": round(each.induction[-1][induction], 3),
                        "previous": round(each.previous[0][previous], 3),
                    }
                    for each in measured
                ],
                **more,
            )


if __name__ == "__main__":
    main()
