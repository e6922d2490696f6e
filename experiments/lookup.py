"""The lookup of chapter 05 in all its variants, with Adam and with SGD: `python -m experiments.lookup`."""

import torch
from tqdm import tqdm

from experiments.results import Results
from transformer_course.training import lookup

SEEDS, STEPS, LONG = (0, 1, 2, 3, 4, 5), 300, 1500
RATES = {"adam": (1e-3, 3e-3, 1e-2), "sgd": (0.03, 0.1, 0.3, 1.0)}
FIRST_FOUR = ("divided", "not divided", "divided, sharp start", "not divided, small start")
PLAN = [
    *((256, name, "adam", STEPS, RATES["adam"]) for name in lookup.heads(256)),
    *((256, name, "sgd", STEPS, RATES["sgd"]) for name in lookup.heads(256)),
    *((d_k, name, "adam", STEPS, RATES["adam"]) for d_k in (64, 8) for name in FIRST_FOUR),
    *((256, name, "adam", LONG, RATES["adam"][:1]) for name in FIRST_FOUR[:3]),
]


def main() -> None:
    """Run what is missing in the result file."""
    torch.set_num_threads(1)
    settings = {"seeds": SEEDS, "symbols": lookup.NUM_SYMBOLS, "pairs": lookup.NUM_PAIRS, "batch": lookup.BATCH}
    results = Results("lookup", settings)
    for d_k, name, optimizer, num_steps, rates in tqdm(PLAN):
        key = {"d_k": d_k, "head": name, "optimizer": optimizer, "num_steps": num_steps}
        if results.has(**key):
            continue
        losses = lookup.train(d_k, lookup.heads(d_k)[name], rates, SEEDS, num_steps, optimizer)
        last = losses[-30:].mean(dim=0).T  # (rates, seeds)
        results.add(**key, rates=rates, last_30=[[round(x, 4) for x in row] for row in last.tolist()])


if __name__ == "__main__":
    main()
