"""The right run of chapter 10 and its five broken ones: `python -m experiments.broken_runs`."""

import argparse

import torch
from tqdm import tqdm

from experiments.broken_runs.faults import FAULTS, train_reverser
from experiments.results import Results

SEEDS = (0, 1, 2)
SETTINGS = {"updates": 250, "faults": FAULTS}
# Seed 0 of all is drawn; the others say whether D is worse than E by more than chance.
RUNS = [(name, seed) for seed in SEEDS for name in ("right", *FAULTS) if seed == 0 or name in ("right", "D", "E")]


def main() -> None:
    """Run what is missing in the result file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", default=["right", *FAULTS], choices=["right", *FAULTS])
    options = parser.parse_args()
    torch.set_num_threads(1)
    results = Results("broken_runs", SETTINGS)
    for name, seed in tqdm(RUNS, desc="runs"):
        if name in options.only and not results.has(run=name, seed=seed):
            run = train_reverser("" if name == "right" else name, seed, SETTINGS["updates"])
            results.add(run=name, seed=seed, losses=run.losses, share=run.share)


if __name__ == "__main__":
    main()
