"""Digits, and what a Vision Transformer knows of space: `python -m experiments.digits`.

Each part answers one question of chapter 15, with three seeds ("blanked": five). The part "rates" tries learning rates
on 200 of the training pictures, for each model by itself, without a look at the test pictures; `RATES` holds those
that the other parts use. The result file has the runs that were made so far.
"""

import argparse
import time
from collections.abc import Callable, Sequence

import torch
from torch import nn
from tqdm import tqdm

from experiments.digits.pictures import (
    ONE_PIXEL,
    SIZES,
    WITHIN_ONE,
    ConvNet,
    LogisticRegression,
    OtherPositions,
    accuracy,
    accuracy_moved,
    class_attention,
    for_seconds,
    for_updates,
    train_on_pictures,
    without_patches,
)
from experiments.digits.scene_questions import leftmost_colours
from experiments.results import Results
from transformer_course.data.pictures import load_digits
from transformer_course.vision_transformer import VisionTransformer, image_to_patches

SEEDS = (0, 1, 2)
SECONDS, LONG, OF_SCENES, OF_RATES = 8, 24, 12, 4
NUMBERS = (1297, 100)
CANDIDATES = (2e-3, 4e-3, 8e-3)
RATES = {"vit": 4e-3, "cnn": 4e-3, "cnn, all places": 4e-3}
STILL, NUM_VALIDATION = ((0, 0),), 200
ONE_PATCH = tuple((2 * down, 2 * right) for down, right in ONE_PIXEL)
STRENGTHS = (0.1, 1.0, 10.0)
STARTS = [(kind, std) for std in (0.5, 0.02) for kind in ("rows and columns", "table")]
SCENES = {"image_size": 40, "patch": 8, "channels": 3, "num_classes": 5, "d_model": 48, "d_ff": 96}
NUM_SCENES = 8_000
BLANKED_UPDATES, BLANKED_SEEDS = 450, (0, 1, 2, 3, 4)
SETTINGS = {
    "cpu_seconds": SECONDS, "long": LONG, "of_scenes": OF_SCENES, "of_rates": OF_RATES, "numbers": NUMBERS,
    "sizes": SIZES, "scenes": SCENES, "num_scenes": NUM_SCENES,
}  # fmt: skip
NETWORKS: dict[str, Callable[[], nn.Module]] = {
    "vit": lambda: VisionTransformer(**SIZES),
    "cnn": ConvNet,
    "cnn, all places": lambda: ConvNet(pooled=False),
}


def measure(model: nn.Module, pictures) -> dict[str, float]:
    """Measure on pictures as they are, moved by one pixel, and moved by one patch, in four directions each."""
    return {
        "still": accuracy(model, pictures),
        "one_pixel": accuracy_moved(model, pictures),
        "one_patch": accuracy_moved(model, pictures, ONE_PATCH),
    }


def rates(results: Results, seeds: Sequence[int]) -> None:
    """Try learning rates on pictures held out of the training pictures, with the first seed."""
    train, _ = load_digits()
    held_out, rest = train[:NUM_VALIDATION], train[NUM_VALIDATION:]
    for name, make in NETWORKS.items():
        for rate in CANDIDATES:
            key = {"part": "rates", "model": name, "rate": rate, "seed": seeds[0]}
            if not results.has(**key):
                model, updates = train_on_pictures(make, rest, for_seconds(OF_RATES), rate, seeds[0])
                results.add(**key, updates=updates, validation=accuracy(model, held_out))
    for strength in STRENGTHS:
        for shifted in (False, True):
            key = {"part": "rates", "model": "logistic", "strength": strength, "shifts": shifted}
            if not results.has(**key):
                model = LogisticRegression(rest, strength, WITHIN_ONE if shifted else STILL)
                shown = accuracy_moved(model, held_out) if shifted else accuracy(model, held_out)
                results.add(**key, validation=shown)


def curve(
    results: Results,
    seeds: Sequence[int],
    numbers: Sequence[int] = NUMBERS,
    seconds: int = SECONDS,
    names: Sequence[str] = tuple(NETWORKS),
    ways: Sequence[bool] = (False, True),
) -> None:
    """Train each network on more and fewer pictures, as they are and moved by up to one pixel."""
    train, test = load_digits()
    for number in numbers:
        for seed in tqdm(seeds, desc=f"{number} pictures, {seconds} s"):
            chosen = train[torch.randperm(len(train), generator=torch.Generator().manual_seed(seed))[:number]]
            for name in names:
                for shifted in ways:
                    key = {"part": "curve", "model": name, "number": number, "shifts": shifted, "seed": seed,
                           "cpu_seconds": seconds, "rate": RATES[name]}  # fmt: skip
                    if not results.has(**key):
                        shifts = WITHIN_ONE if shifted else STILL
                        model, updates = train_on_pictures(
                            NETWORKS[name], chosen, for_seconds(seconds), RATES[name], seed, shifts
                        )
                        results.add(**key, updates=updates, **measure(model, test))


def logistic(results: Results, seeds: Sequence[int]) -> None:
    """Fit logistic regression to the same pictures, with three strengths of its penalty."""
    train, test = load_digits()
    for number in NUMBERS:
        for seed in seeds:
            chosen = train[torch.randperm(len(train), generator=torch.Generator().manual_seed(seed))[:number]]
            for strength in STRENGTHS:
                for shifted in (False, True):
                    key = {"part": "logistic", "number": number, "shifts": shifted, "seed": seed, "strength": strength}
                    if not results.has(**key):
                        start = time.process_time()
                        model = LogisticRegression(chosen, strength, WITHIN_ONE if shifted else STILL)
                        seconds = time.process_time() - start
                        results.add(**key, seconds=round(seconds, 2), **measure(model, test))


def positions(results: Results, seeds: Sequence[int]) -> None:
    """Separate the kind of the positions from the size with which they start, on digits."""
    train, test = load_digits()
    for seed in tqdm(seeds, desc="positions of digits"):
        for kind, std in [*STARTS, ("none", 0.5)]:
            key = {"part": "positions", "kind": kind, "std": std, "seed": seed}
            if not results.has(**key):
                model, updates = train_on_pictures(
                    lambda kind=kind, std=std: OtherPositions(kind, std, **SIZES),
                    train,
                    for_seconds(SECONDS),
                    RATES["vit"],
                    seed,
                )
                results.add(**key, updates=updates, **measure(model, test))


def scenes(results: Results, seeds: Sequence[int]) -> None:
    """Do the same on scenes: which colour has the leftmost object?"""
    train, test = leftmost_colours(NUM_SCENES, "train", 0), leftmost_colours(1000, "test", 1)
    for seed in tqdm(seeds, desc="positions of scenes"):
        for kind, std in STARTS:
            key = {"part": "scenes", "kind": kind, "std": std, "seed": seed}
            if not results.has(**key):
                model, updates = train_on_pictures(
                    lambda kind=kind, std=std: OtherPositions(kind, std, **SCENES),
                    train,
                    for_seconds(OF_SCENES),
                    2e-3,
                    seed,
                )
                results.add(**key, updates=updates, still=accuracy(model, test))


def blanked(results: Results, seeds: Sequence[int]) -> None:
    """Blank patches in five orders, with models as the page of chapter 15 trains them, of more seeds than one.

    All but "attention" take patches with ink first. `empty` is how many of the three patches with most attention have
    none, in the mean of the digits.
    """
    train, test = load_digits()
    ink = image_to_patches(test.images, SIZES["patch"]).sum(dim=-1)
    lot = torch.rand(ink.shape, generator=torch.Generator().manual_seed(0)) + (ink > 0)
    for seed in tqdm(seeds, desc="blanked patches"):
        key = {"part": "blanked", "updates": BLANKED_UPDATES, "seed": seed}
        if not results.has(**key):
            model, _ = train_on_pictures(NETWORKS["vit"], train, for_updates(BLANKED_UPDATES), RATES["vit"], seed)
            attention = class_attention(model, test.images)
            inked = (ink > 0).float()
            orders = {
                "attention": attention,
                "inked": inked + attention,
                "ink": ink,
                "lot": lot,
                "least": inked - attention,
            }
            empty = inked.gather(1, attention.topk(3, dim=1).indices).eq(0).sum(dim=1).double().mean().item()
            left = {}
            for name, importance in orders.items():
                views = [without_patches(test.images, SIZES["patch"], importance, count) for count in range(7)]
                with torch.no_grad():
                    right = [(model(view).argmax(dim=-1) == test.labels).double().mean().item() for view in views]
                left[name] = [round(share, 4) for share in right]
            results.add(**key, left=left, empty=round(empty, 3))


PARTS = {
    "rates": rates,
    "all": lambda results, seeds: curve(results, seeds, NUMBERS[:1]),
    "logistic": logistic,
    "positions": positions,
    "scenes": scenes,
    "long": lambda results, seeds: curve(results, seeds, NUMBERS[:1], LONG, ("vit", "cnn"), (True,)),
    "few": lambda results, seeds: curve(results, seeds, NUMBERS[1:], ways=(False,)),
    "blanked": lambda results, seeds: blanked(results, BLANKED_SEEDS),
}


def main() -> None:
    """Run what is missing in the result file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", nargs="*", default=list(PARTS), choices=list(PARTS))
    parser.add_argument("--seeds", nargs="*", type=int, default=list(SEEDS))
    options = parser.parse_args()
    torch.set_num_threads(1)
    results = Results("digits", SETTINGS)
    for part in options.parts:
        PARTS[part](results, options.seeds)


if __name__ == "__main__":
    main()
