"""Captions of the built-in scenes, for chapter 16: `python -m experiments.captions`.

One model that looks at 25 patches, and the same with their mean alone, for the same CPU seconds and as many seeds. Both
are measured on scenes of the test split and on those with new pairs of colour and shape; of the first also where it
looks, and what is lost when one patch is hidden. "words hidden" is the attempt to fix the new pairs: the same model
and budget, and while it trains, a share of the words that it has written is hidden from it.
"""

import argparse
import time

import torch
from tqdm import tqdm

from experiments.captions.looking import hide_patches, measure_pointing, new_pairs
from experiments.results import Results
from transformer_course.training.captions import BATCH, new_captioner, score_captions, train_captioner

CPU_SECONDS, SEEDS = 120, (0, 1, 2)
RATE = 4e-3
MODELS = {
    "attention": {"pooled": False, "hide": 0.0},
    "pooled": {"pooled": True, "hide": 0.0},
    "words hidden": {"pooled": False, "hide": 0.5},
}
BEGINNING = 100
SETTINGS = {"cpu_seconds": CPU_SECONDS, "rate": RATE, "batch": BATCH, "models": MODELS, "beginning": BEGINNING}


def train(name: str, seed: int, num_steps: int | None = None, cpu_seconds: float | None = None) -> tuple:
    """Train one of ``MODELS``; returns it and its losses."""
    torch.manual_seed(seed)
    model = new_captioner(pooled=MODELS[name]["pooled"])
    losses = train_captioner(model, seed, num_steps, cpu_seconds, rate=RATE, hide=MODELS[name]["hide"])
    return model, losses


def measure(name: str, seed: int) -> dict:
    """Train one model for the whole budget and measure it."""
    model, losses = train(name, seed, cpu_seconds=CPU_SECONDS)
    found = {
        "updates": len(losses),
        "losses": [
            sum(losses[start : start + 50]) / len(losses[start : start + 50]) for start in range(0, len(losses), 50)
        ],
        "test": score_captions(model),
        "composition": score_captions(model, "composition"),
        "new_pairs": new_pairs(model),
    }
    if not MODELS[name]["pooled"]:
        found |= {"pointing": measure_pointing(model), "hidden": hide_patches(model)}
    return found


def main() -> None:
    """Run what is missing in the result file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", nargs="*", choices=tuple(MODELS), default=list(MODELS))
    parser.add_argument("--seeds", nargs="*", type=int, default=list(SEEDS))
    options = parser.parse_args()
    torch.set_num_threads(1)
    results = Results("captions", SETTINGS)
    for seed in tqdm(options.seeds, desc="seeds"):
        for name in options.models:
            if not results.has(model=name, seed=seed):
                started = time.process_time()
                found = measure(name, seed)
                results.add(model=name, seed=seed, **found, seconds=round(time.process_time() - started))


if __name__ == "__main__":
    main()
