"""Chapter 05: what the division changes, at three widths, with Adam and with SGD: `python -m experiments.division`."""

import math

import torch
from tqdm import tqdm

from experiments.division import lookup
from experiments.results import Results

SEEDS, STEPS, LONG = (0, 1, 2, 3, 4, 5), 300, 1500
RATES = {"adam": (1e-3, 3e-3, 1e-2), "sgd": (0.03, 0.1, 0.3, 1.0)}
HIGHER = {"adam": (3e-2, 0.1), "sgd": (3.0, 10.0)}
FOUR = ("divided", "not divided", "divided, sharp start", "not divided, small start")
PLAN = [
    *((256, name, optimizer, STEPS, RATES[optimizer]) for optimizer in RATES for name in lookup.heads(256)),
    *((d_k, name, "adam", STEPS, RATES["adam"]) for d_k in (64, 8) for name in FOUR),
    *((256, name, "adam", LONG, RATES["adam"][:1]) for name in FOUR[:3]),
    *((256, "divided, sharp start", optimizer, STEPS, HIGHER[optimizer]) for optimizer in HIGHER),
    *((d_k, name, "sgd", STEPS, RATES["sgd"]) for d_k in (64, 8) for name in FOUR[:2]),
]
SETTINGS = {"seeds": SEEDS, "symbols": lookup.NUM_SYMBOLS, "pairs": lookup.NUM_PAIRS, "batch": lookup.BATCH}


def last_losses(d_k: int, name: str, optimizer: str, num_steps: int, rates: tuple[float, ...]) -> torch.Tensor:
    """Return the mean loss of the last 30 steps, ``(rates, seeds)``; NaN where a run diverged."""
    losses = lookup.train(d_k, lookup.heads(d_k)[name], rates, SEEDS, num_steps, optimizer)
    return losses[-30:].mean(dim=0).T


def main() -> None:
    """Run what is missing in the result file."""
    torch.set_num_threads(1)
    results = Results("division", SETTINGS)
    for d_k, name, optimizer, num_steps, rates in tqdm(PLAN):
        key = {"d_k": d_k, "head": name, "optimizer": optimizer, "num_steps": num_steps, "rates": list(rates)}
        if not results.has(**key):
            last = last_losses(d_k, name, optimizer, num_steps, rates).tolist()
            results.add(**key, last_30=[[None if math.isnan(x) else round(x, 4) for x in row] for row in last])


if __name__ == "__main__":
    main()
