"""Language models of Shakespeare on one clock: `python -m experiments.language`.

Every recipe of `experiments/language/recipes.py` gets 180 CPU seconds of one thread, for three seeds. About 40 minutes.
Three more train the chapter's model once again, to sample from it in several ways.
"""

import argparse
from dataclasses import asdict

import torch

from experiments.language.recipes import LENGTH, PIECES, RECIPES, SHARES, copied_in, measure, train
from experiments.language.sampling import sample
from experiments.results import Results
from transformer_course.data.shakespeare import load_shakespeare
from transformer_course.generation.kneser_ney import KneserNey

CPU_SECONDS, SEEDS, ORDER = 180.0, (0, 1, 2), 7
NAMES = [name for name in RECIPES if name != "a small model"]
SETTINGS = {
    "cpu_seconds": CPU_SECONDS,
    "length": LENGTH,
    "order": ORDER,
    "pieces": PIECES,
    "shares": SHARES,
    "recipes": {name: RECIPES[name].settings() for name in NAMES},
}


def main() -> None:
    """Run what is missing in the result file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", nargs="*", type=int, default=list(SEEDS))
    parser.add_argument("--recipes", nargs="*", choices=NAMES, default=NAMES)
    options = parser.parse_args()
    torch.set_num_threads(1)
    data = load_shakespeare()
    ngrams = KneserNey(data.train, ORDER, len(data.characters))
    results = Results("language", SETTINGS)
    for seed in options.seeds:
        for name in options.recipes:
            if results.has(recipe=name, seed=seed):
                continue
            model, trainer = train(name, seed, data, cpu_seconds=CPU_SECONDS)
            results.add(
                recipe=name,
                seed=seed,
                parameters=sum(parameter.numel() for parameter in model.parameters()),
                steps=trainer.progress.step,
                seconds=round(trainer.progress.seconds, 1),
                train_loss=sum(trainer.progress.losses[-100:]) / 100,
                first_losses=[round(loss, 4) for loss in trainer.progress.losses[:5]],
                **asdict(measure(model, data, ngrams)),
            )
    if not results.has(recipe="sampling", seed=0):
        model, trainer = train("the chapter's model", 0, data, cpu_seconds=CPU_SECONDS)
        results.add(recipe="sampling", seed=0, steps=trainer.progress.step, **asdict(sample(model, data)))
    if not results.has(recipe="counting", seed=0):
        written = ngrams.write(data.characters.encode("\n"), 3000, torch.Generator().manual_seed(0))
        new = [data.characters.decode(piece) for piece in data.validation[:24_000].split(400)]
        texts = [data.characters.decode(piece) for piece in written.split(400)]
        results.add(
            recipe="counting", seed=0, copied=copied_in(texts), copied_of_new_text=copied_in(new), text=texts[0]
        )


if __name__ == "__main__":
    main()
