"""How the loss falls with the length of training: `python -m experiments.scaling`.

A small model of Shakespeare, each run with a schedule of its own length. Chapter 13 fits a curve to the short runs, and
predicts the long one. About a minute.
"""

import torch

from experiments.results import Results
from transformer_course.data.shakespeare import load_shakespeare
from transformer_course.training.language import nats_per_token
from transformer_course.training.language_runs import LENGTH, RECIPES, train

RECIPE, UPDATES, SEEDS = "a small model", (50, 100, 200, 400, 1600), (0, 1, 2)
NUM_NEW = 40_000
SETTINGS = {"recipe": RECIPES[RECIPE].settings(), "updates": UPDATES, "num_new": NUM_NEW}


def main() -> None:
    """Run what is missing in the result file."""
    torch.set_num_threads(1)
    data, results = load_shakespeare(), Results("scaling", SETTINGS)
    for seed in SEEDS:
        for updates in UPDATES:
            if not results.has(updates=updates, seed=seed):
                model, trainer = train(RECIPE, seed, data, num_steps=updates)
                nats = nats_per_token(model, data.validation[:NUM_NEW], LENGTH)
                results.add(updates=updates, seed=seed, nats=nats, seconds=round(trainer.progress.seconds, 1))


if __name__ == "__main__":
    main()
