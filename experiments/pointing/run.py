"""Captioners that point, for chapter 16: `python -m experiments.pointing`.

The model of `experiments.captions` with the same parameters and seeds and half of its seconds, and one change: in the
encoder each patch sees itself alone, so that row n of the memory knows of patch n and no other. "one head" has this
change and one head of full width in each layer in the place of four. "attention" is the model with neither change, for
the same seconds.
"""

import argparse

import torch
from tqdm import tqdm

from experiments.captions.looking import PatchesApart, hide_patches, measure_pointing, new_pairs
from experiments.captions.run import RATE, SEEDS
from experiments.results import Results
from transformer_course.training.captions import BATCH, new_captioner, score_captions, train_captioner

CPU_SECONDS = 60
MODELS = {"patches apart": {"kind": PatchesApart}, "one head": {"kind": PatchesApart, "num_heads": 1}, "attention": {}}
SETTINGS = {"cpu_seconds": CPU_SECONDS, "rate": RATE, "batch": BATCH}


def measure(name: str, seed: int) -> dict:
    """Train one of ``MODELS`` for the whole budget and measure it."""
    torch.manual_seed(seed)
    model = new_captioner(**MODELS[name])
    losses = train_captioner(model, seed, cpu_seconds=CPU_SECONDS, rate=RATE)
    return {
        "updates": len(losses),
        "test": score_captions(model),
        "composition": score_captions(model, "composition"),
        "new_pairs": new_pairs(model),
        "pointing": measure_pointing(model),
        "hidden": hide_patches(model),
    }


def main() -> None:
    """Run what is missing in the result file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", nargs="*", choices=tuple(MODELS), default=list(MODELS))
    parser.add_argument("--seeds", nargs="*", type=int, default=list(SEEDS))
    options = parser.parse_args()
    torch.set_num_threads(1)
    results = Results("pointing", SETTINGS)
    for name in options.models:
        for seed in tqdm(options.seeds, desc=name):
            if not results.has(model=name, seed=seed):
                results.add(model=name, seed=seed, **measure(name, seed))


if __name__ == "__main__":
    main()
