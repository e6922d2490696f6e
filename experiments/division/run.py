"""Chapter 05: what the division changes, at three widths, with Adam and with SGD: `python -m experiments.division`."""

import math
from dataclasses import replace

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
    *((256, f"{FOUR[3]}, slower", optimizer, STEPS, RATES[optimizer][-1:]) for optimizer in RATES),
]
WATCHED, WATCHED_RATE, WINDOW = (*FOUR[1::-1], *FOUR[2:]), 3e-3, 10  # the four runs that open the chapter
SETTINGS = {"seeds": SEEDS, "symbols": lookup.NUM_SYMBOLS, "pairs": lookup.NUM_PAIRS, "batch": lookup.BATCH}


def head_of(d_k: int, name: str, optimizer: str) -> lookup.Head:
    """Return the head of that name; the slower one has W_Q and W_K slowed as the algebra of the chapter says."""
    if not name.endswith(", slower"):
        return lookup.heads(d_k)[name]
    factor = d_k ** {"adam": 0.25, "sgd": 0.5}[optimizer]
    return replace(lookup.heads(d_k)[name.removesuffix(", slower")], slower=factor)


def rounded(x: torch.Tensor) -> list:
    """Write losses; None where a run diverged."""
    if x.ndim:
        return [rounded(row) for row in x]
    return None if math.isnan(x) else round(x.item(), 4)


def last_losses(d_k: int, name: str, optimizer: str, num_steps: int, rates: tuple[float, ...]) -> torch.Tensor:
    """Return the mean loss of the last 30 steps, ``(rates, seeds)``; NaN where a run diverged."""
    losses = lookup.train(d_k, head_of(d_k, name, optimizer), rates, SEEDS, num_steps, optimizer)
    return losses[-30:].mean(dim=0).T


def watched(name: str) -> dict:
    """Look into runs of ``PLAN``, head ``name`` with Adam: means of every ten steps, ``(seeds, steps / 10)``."""
    seen, rates = [], RATES["adam"]
    losses = lookup.train(256, head_of(256, name, "adam"), rates, SEEDS, STEPS, watch=seen.append)
    at = rates.index(WATCHED_RATE)
    weights = torch.stack(seen)[:, at :: len(rates)]  # (steps, seeds, batch, pairs)
    right = weights[..., 0] > 0.99  # the right pair is the first
    wrong = (weights.amax(dim=-1) > 0.99) & ~right
    found = {"loss": losses[..., at], "right": right.double().mean(dim=2), "wrong": wrong.double().mean(dim=2)}
    return {kind: rounded(x.unfold(0, WINDOW, WINDOW).mean(dim=-1).T) for kind, x in found.items()}


def final_losses(runs: list[dict]) -> tuple[dict, dict]:
    """Sort the result file by width, head, optimizer and number of steps.

    Args:
        runs: of the result file; those that were watched have no final losses and are left out.

    Returns:
        For each key the losses ``(rates, seeds)``, infinite where a run diverged, and the rates, from low to high.

    Raises:
        ValueError: if the rates of a key are not in order.
    """
    final, tried = {}, {}
    for run in runs:
        if "watched" in run:
            continue
        key = run["d_k"], run["head"], run["optimizer"], run["num_steps"]
        losses = torch.tensor([[math.inf if x is None else x for x in row] for row in run["last_30"]])
        final[key] = torch.cat([final[key], losses]) if key in final else losses
        tried[key] = [*tried.get(key, []), *run["rates"]]
        if tried[key] != sorted(tried[key]):
            raise ValueError(f"runs: expected rising rates of {key}, got {tried[key]}")
    return final, tried


def main() -> None:
    """Run what is missing in the result file."""
    torch.set_num_threads(1)
    results = Results("division", SETTINGS)
    for d_k, name, optimizer, num_steps, rates in tqdm(PLAN):
        key = {"d_k": d_k, "head": name, "optimizer": optimizer, "num_steps": num_steps, "rates": list(rates)}
        if not results.has(**key):
            results.add(**key, last_30=rounded(last_losses(d_k, name, optimizer, num_steps, rates)))
    for name in WATCHED:
        key = {"watched": name, "rate": WATCHED_RATE, "window": WINDOW}
        if not results.has(**key):
            results.add(**key, **watched(name))


if __name__ == "__main__":
    main()
