"""How the loss falls with the length of training: `python -m experiments.scaling`.

A small model of Shakespeare, each run with a schedule of its own length whose first tenth is warm-up. The short runs
come first, a curve is fitted to them, and what it predicts is written down before the long runs are made. Each model is
also measured with most of its context cut off. About a CPU minute a seed.
"""

import argparse

import torch
from torch import Tensor, nn

from experiments.language.recipes import LENGTH, RECIPES, fit_power_law, loss_by_reach, train
from experiments.results import Results
from transformer_course.data.shakespeare import load_shakespeare
from transformer_course.training.language import nats_per_token

RECIPE, UPDATES, LONG, SEEDS = "a small model", (100, 200, 400, 800, 1600), 6400, (0, 1, 2)
WARMUP = 0.1
NUM_NEW, NUM_CUT, REACHES = 40_000, 16_000, (1, 2, 4, 8, 16, 32)
SETTINGS = {
    "recipe": RECIPES[RECIPE].settings(),
    "warmup": WARMUP,
    "updates": UPDATES,
    "long": LONG,
    "num_new": NUM_NEW,
    "num_cut": NUM_CUT,
    "reaches": REACHES,
}


def run(updates: int, seed: int, results: Results) -> None:
    """Train one model and keep its losses, unless that has been done."""
    if results.has(updates=updates, seed=seed):
        return
    data = load_shakespeare()
    model, trainer = train(RECIPE, seed, data, num_steps=updates, warmup_steps=int(WARMUP * updates))
    results.add(
        updates=updates, seed=seed, seconds=round(trainer.progress.seconds, 1), **losses(model, data.validation)
    )


def losses(model: nn.Module, new: Tensor) -> dict:
    """Measure on new text: in windows, and with attention to the last few characters alone."""
    by_reach = loss_by_reach(model, new[:NUM_CUT], LENGTH, REACHES)
    return {
        "nats": round(nats_per_token(model, new[:NUM_NEW], LENGTH), 4),
        "by_reach": {str(reach): round(loss, 4) for reach, loss in by_reach.items()},
    }


def main() -> None:
    """Run what is missing in the result file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", nargs="*", type=int, default=list(SEEDS))
    seeds = parser.parse_args().seeds
    torch.set_num_threads(1)
    results = Results("scaling", SETTINGS)
    for seed in seeds:
        for updates in UPDATES:
            run(updates, seed, results)
    if not results.has(prediction_from=seeds):
        short = [each for each in results.read()["runs"] if each.get("updates") in UPDATES and each["seed"] in seeds]
        floor, factor, exponent = fit_power_law([each["updates"] for each in short], [each["nats"] for each in short])
        found = {"floor": floor, "factor": factor, "exponent": exponent, "nats": floor + factor * LONG**-exponent}
        results.add(prediction_from=seeds, **{name: round(number, 4) for name, number in found.items()})
    for seed in seeds:
        run(LONG, seed, results)


if __name__ == "__main__":
    main()
