"""How the loss falls with the length of training: `python -m experiments.scaling`.

The chapter's model of Shakespeare, each run with a schedule of its own length. Chapter 13 fits a curve to these, and
predicts the runs of `experiments.language`, which are longer. About two minutes.
"""

import torch

from experiments.results import Results
from transformer_course.data.shakespeare import load_shakespeare
from transformer_course.training.language import nats_per_token
from transformer_course.training.language_runs import LENGTH, RECIPES, train

RECIPE, UPDATES, SEEDS = "the chapter's model", (75, 150, 300, 600), (0, 1)
SETTINGS = {"recipe": RECIPES[RECIPE].settings(), "updates": UPDATES}


def main() -> None:
    """Run what is missing in the result file."""
    torch.set_num_threads(1)
    data, results = load_shakespeare(), Results("scaling", SETTINGS)
    for seed in SEEDS:
        for updates in UPDATES:
            if not results.has(updates=updates, seed=seed):
                model, trainer = train(RECIPE, seed, data, num_steps=updates)
                nats = nats_per_token(model, data.validation, LENGTH)
                results.add(updates=updates, seed=seed, nats=nats, seconds=round(trainer.progress.seconds, 1))


if __name__ == "__main__":
    main()
