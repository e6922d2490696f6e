"""What more time brings: `python -m experiments.more_time`.

The Transformer of the ladder with twice its CPU seconds, and nothing else changed: is what it gets wrong after the
ladder's budget beyond it, or has it only not been learned yet?
"""

import argparse

import torch
from tqdm import tqdm

from experiments import ladder
from experiments.results import Results
from transformer_course.training.config import TrainingConfig
from transformer_course.training.languages import built_in_language

TIMES_LONGER, NAME = 2, "transformer"


def main() -> None:
    """Run what is missing in the result file."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    torch.set_num_threads(1)
    language = built_in_language()
    seconds, chosen = TIMES_LONGER * ladder.CPU_SECONDS, ladder.SETTINGS[NAME]
    results = Results(
        "more_time", {"cpu_seconds": seconds, "num_train": len(language.splits["train"]), "models": {NAME: chosen}}
    )
    for seed in tqdm(ladder.SEEDS, desc="seeds"):
        if not results.has(model=NAME, seed=seed):
            translator, trainer = ladder.train(NAME, language, TrainingConfig(cpu_seconds=seconds, seed=seed, **chosen))
            results.add(model=NAME, seed=seed, steps=trainer.progress.step, **ladder.measure(translator, language))


if __name__ == "__main__":
    main()
