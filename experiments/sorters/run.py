"""Small stacks that learn to sort, for chapter 09: `python -m experiments.sorters`.

"warm-up": six blocks in both orders, at two learning rates, with a warm-up and without; the loss of every update, and
what is seen inside before the first and after a few. "trained": four blocks in the order of pre-norm, trained until
they sort; how well the stream can be read at every depth, what is lost without the sublayers of one kind, and how far
the same stack comes if it is trained without feed-forward networks. "alike": what not all words of all rows share, at
the top of a stack of six blocks in post-norm, before training and after five updates at the high rate.
"""

import argparse
import math

import torch
from tqdm import tqdm

from experiments.results import Results
from experiments.sorters.deep_stacks import Silent, Sorter, accuracy_by_depth, train_sorter

ORDERS, WARMUPS = {"post-norm": False, "pre-norm": True}, {"no warm-up": 1, "warm-up": 24}
RATES, SEEDS, UPDATES = (0.003, 0.01), (0, 1, 2), 160
# After 5 updates at the full rate and after 15 of the warm-up, the rates used so far add up to the same.
LOOK_AFTER = (0, 5, 15)
TRAINED = {"num_steps": 300, "rate": 3e-3, "warmup": 24, "batch": 32, "length": 8, "falls": True}
SETTINGS = {"updates": UPDATES, "warmups": WARMUPS, "trained": TRAINED, "guessing": math.log(9)}


def warm_up_run(order: str, rate: float, warmup: str, seed: int, updates: int = UPDATES) -> dict:
    """Train one stack of six blocks."""
    torch.manual_seed(seed)
    model = Sorter(6, norm_first=ORDERS[order])
    losses, looks = train_sorter(model, seed, updates, rate, WARMUPS[warmup], look_after=LOOK_AFTER)
    return {"losses": [round(loss, 4) for loss in losses], "looks": {str(after): look for after, look in looks.items()}}


def trained_run(seed: int) -> dict:
    """Train a stack of four blocks until it sorts, and the same without networks."""

    def trained(network: bool) -> Sorter:
        torch.manual_seed(seed)
        model = Sorter(4, norm_first=True)
        if not network:
            for block in model.stack.blocks:
                block.feed_forward = Silent()
        train_sorter(model, seed, **TRAINED)
        return model

    model = trained(network=True)
    return {
        "by depth": accuracy_by_depth(model),
        "without network": accuracy_by_depth(model, without="network")[-1],
        "without attention": accuracy_by_depth(model, without="attention")[-1],
        "never a network": accuracy_by_depth(trained(network=False))[-1],
    }


def not_shared(x: torch.Tensor) -> float:
    """Return what not all words of all rows of ``(batch, length, d_model)`` share, as a share of the whole."""
    return ((x - x.mean(dim=(0, 1), keepdim=True)).norm() / x.norm()).item()


def alike_run(seed: int) -> dict:
    """Begin the run of post-norm at the high rate without warm-up, and look at the top of the stack."""
    torch.manual_seed(seed)
    model = Sorter(6, norm_first=ORDERS["post-norm"])
    numbers = model.draw(64, 6, torch.Generator().manual_seed(99))
    found = {}
    for name, updates in (("before", 0), ("after", LOOK_AFTER[1])):
        train_sorter(model, seed, updates, RATES[-1], WARMUPS["no warm-up"])
        with torch.no_grad():
            found[name] = not_shared(model.stack.stream(model.embedding(numbers))[-1])
    return found


def main() -> None:
    """Run what is missing in the result file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", nargs="*", type=int, default=list(SEEDS))
    options = parser.parse_args()
    torch.set_num_threads(1)
    results = Results("sorters", SETTINGS)
    for seed in tqdm(options.seeds, desc="seeds"):
        if not results.has(task="trained", seed=seed):
            results.add(task="trained", seed=seed, **trained_run(seed))
        if not results.has(task="alike", seed=seed):
            results.add(task="alike", seed=seed, **alike_run(seed))
        for order in ORDERS:
            for rate in RATES:
                for warmup in WARMUPS:
                    key = {"task": "warm-up", "order": order, "rate": rate, "warmup": warmup, "seed": seed}
                    if not results.has(**key):
                        results.add(**key, **warm_up_run(order, rate, warmup, seed))


if __name__ == "__main__":
    main()
