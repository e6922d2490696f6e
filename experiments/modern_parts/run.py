"""Parts of the modern block, one at a time, on one clock: `python -m experiments.modern_parts`.

The language model of chapter 13 with one thing replaced (`parts.py`), and with all: each gets 40 CPU
seconds of one thread, for three seeds. About 20 minutes.
"""

import argparse

import torch

from experiments.language.recipes import RECIPES
from experiments.modern_parts.parts import GATED_WIDTH, NUM_GROUPS, SIZES, VARIANTS, make_model
from experiments.results import Results
from transformer_course.data.shakespeare import Shakespeare, load_shakespeare
from transformer_course.training.config import TrainingConfig
from transformer_course.training.language import LanguageTrainer, losses_of

CPU_SECONDS, SEEDS = 40.0, (0, 1, 2)
TRAINING = RECIPES["the chapter's model"].training
SETTINGS = {
    "cpu_seconds": CPU_SECONDS,
    "sizes": SIZES,
    "groups": NUM_GROUPS,
    "gated_width": GATED_WIDTH,
    "training": TRAINING,
    "variants": VARIANTS,
}


def train(name: str, seed: int, data: Shakespeare, **budget: float) -> LanguageTrainer:
    """Train a variant for ``cpu_seconds`` or ``num_steps``, and return its trainer."""
    torch.manual_seed(seed)
    model = make_model(name, len(data.characters))
    trainer = LanguageTrainer(model, data.train, TrainingConfig(**budget, **TRAINING, seed=seed), SIZES["max_length"])
    trainer.run()
    return trainer


def main() -> None:
    """Run what is missing in the result file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", nargs="*", type=int, default=list(SEEDS))
    parser.add_argument("--variants", nargs="*", choices=list(VARIANTS), default=list(VARIANTS))
    options = parser.parse_args()
    torch.set_num_threads(1)
    data, results = load_shakespeare(), Results("modern_parts", SETTINGS)
    for seed in options.seeds:
        for name in options.variants:
            if results.has(variant=name, seed=seed):
                continue
            trainer = train(name, seed, data, cpu_seconds=CPU_SECONDS)
            losses = trainer.progress.losses
            results.add(
                variant=name,
                seed=seed,
                parameters=sum(parameter.numel() for parameter in trainer.model.parameters()),
                steps=trainer.progress.step,
                seconds=round(trainer.progress.seconds, 1),
                nats=losses_of(trainer.model, data.validation, SIZES["max_length"])[1].double().mean().item(),
                train_loss=sum(losses[-100:]) / 100,
                first_losses=[round(loss, 4) for loss in losses[:5]],
            )


if __name__ == "__main__":
    main()
