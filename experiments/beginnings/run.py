"""The first hundred updates of the long runs: `python -m experiments.beginnings`.

The ladder and the scale take hours; a page of the book or a test cannot repeat them. It can repeat their beginning:
the same model, data and settings for 100 updates, and compare the loss with what stands in
``results/beginnings.json``. If the two differ, the results of the long runs are of another program.
"""

import argparse

import torch
from tqdm import tqdm

from experiments.ladder import run as ladder
from experiments.results import Results
from experiments.scale import run as scale
from transformer_course.common.seeding import seed_everything
from transformer_course.training.config import TrainingConfig
from transformer_course.training.languages import Language, built_in_language
from transformer_course.training.loop import Trainer
from transformer_course.training.models import build_translator

UPDATES, LAST, SEEDS = 100, 20, (0, 1, 2)
RUNS = (*ladder.SETTINGS, "one head, scaled", "one head, not scaled")


def loss_of_beginning(name: str, seed: int, language: Language) -> float:
    """Train one model of the ladder, or of the scale, for a hundred updates.

    Args:
        name: one of `RUNS`.
        seed: of the weights, of the order of the batches and of dropout.
        language: what the long run was trained on.

    Returns:
        The mean loss of the last 20 updates, in nats a token.
    """
    seed_everything(seed)
    sizes = len(language.source_vocabulary), len(language.target_vocabulary)
    if name in ladder.SETTINGS:
        model = build_translator(name, language.source_vocabulary, language.target_vocabulary).model
        settings = ladder.SETTINGS[name]
    else:
        model = scale.build(*sizes, num_heads=1, scaled=name == "one head, scaled")
        settings = scale.SETTINGS
    trainer = Trainer(model, language.examples(), TrainingConfig(num_steps=UPDATES, seed=seed, **settings))
    return sum(trainer.run()[-LAST:]) / LAST


def main() -> None:
    """Run what is missing in the result file."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    torch.set_num_threads(1)
    language = built_in_language()
    settings = {"updates": UPDATES, "last": LAST, "ladder": ladder.SETTINGS, "scale": scale.SETTINGS}
    results = Results("beginnings", {**settings, "num_train": len(language.splits["train"])})
    for name in tqdm(RUNS, desc="models"):
        for seed in SEEDS:
            if not results.has(model=name, seed=seed):
                results.add(model=name, seed=seed, loss=loss_of_beginning(name, seed, language))


if __name__ == "__main__":
    main()
