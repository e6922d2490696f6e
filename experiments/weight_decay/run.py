"""What weight decay brings: `python -m experiments.weight_decay`.

Two models of the ladder in the ladder's time with its settings, but for the weight decay, which is off: what do they
get wrong because they have not learned it yet, and what because they learned their training sentences by heart?
"""

import argparse

import torch
from tqdm import tqdm

from experiments.ladder import run as ladder
from experiments.results import Results
from transformer_course.training.config import TrainingConfig
from transformer_course.training.languages import built_in_language

SETTINGS = {name: ladder.SETTINGS[name] | {"weight_decay": 0.0} for name in ("bahdanau", "transformer")}


def main() -> None:
    """Run what is missing in the result file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", nargs="*", default=list(SETTINGS), choices=list(SETTINGS))
    options = parser.parse_args()
    torch.set_num_threads(1)
    language = built_in_language()
    settings = {"cpu_seconds": ladder.CPU_SECONDS, "num_train": len(language.splits["train"]), "models": SETTINGS}
    results = Results("weight_decay", settings)
    for seed in tqdm(ladder.SEEDS, desc="seeds"):
        for name in options.models:
            if not results.has(model=name, seed=seed):
                config = TrainingConfig(cpu_seconds=ladder.CPU_SECONDS, seed=seed, **SETTINGS[name])
                translator, trainer = ladder.train(name, language, config)
                results.add(model=name, seed=seed, steps=trainer.progress.step, **ladder.measure(translator, language))


if __name__ == "__main__":
    main()
