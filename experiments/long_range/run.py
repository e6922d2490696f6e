"""What attention loses that sees less or keeps less, at equal CPU time: `python -m experiments.long_range`.

Copying: letters that are written twice (`models.py`), 30 CPU seconds a run; how often the second half is
predicted right, by the distance back to the first. Shakespeare: one small language model with each kind of attention,
30 CPU seconds a run. Three seeds each. About 15 minutes; `--parts copying` or `--parts shakespeare` runs one of them.
"""

import argparse
from dataclasses import asdict

import torch

from experiments.long_range.models import Attending, RangeModel, copied, train
from experiments.results import Results
from transformer_course.data.shakespeare import load_shakespeare
from transformer_course.training.config import TrainingConfig
from transformer_course.training.language import LanguageTrainer, nats_per_token

COPYING_SECONDS, SHAKESPEARE_SECONDS, SEEDS = 30.0, 30.0, (0, 1, 2)
PERIODS = (8, 12, 15, 16, 17, 20, 24, 28, 32)
EDGE = (29, 30, 31)  # where two windows of 16 end
WAYS = {
    "full": Attending("full"),
    "window of 16": Attending("window", window=16),
    "linear": Attending("linear"),
    "full, previous token given": Attending("full", previous=True),
    "linear, previous token given": Attending("linear", previous=True),
    "linear, previous token given, not turned": Attending("linear", previous=True, rotary=False),
    "linear, previous token given, not turned, one wide head": Attending(
        "linear", previous=True, rotary=False, num_heads=1
    ),
}
LENGTH, SIZES = 64, {"d_model": 128, "num_layers": 2, "d_ff": 512}
TRAINING = {
    "cpu_seconds": SHAKESPEARE_SECONDS,
    "learning_rate": 4e-3,
    "warmup_steps": 50,
    "final_fraction": 0.0,
    "weight_decay": 0.1,
    "micro_batch_tokens": 8 * LENGTH,
}
SETTINGS = {
    "copying_seconds": COPYING_SECONDS,
    "periods": PERIODS,
    "ways": {name: asdict(how) for name, how in WAYS.items()},
    "length": LENGTH,
    "sizes": SIZES,
    "training": TRAINING,
}


def run_copying(results: Results, name: str, seed: int) -> None:
    """Train a model to copy, and measure at which distances it does."""
    model, measured = train(WAYS[name], seed, COPYING_SECONDS)
    results.add(
        part="copying",
        way=name,
        seed=seed,
        updates=measured[-1]["update"],
        loss=round(measured[-1]["loss"], 3),
        measured=[{key: round(value, 3) for key, value in each.items()} for each in measured],
        copied={str(period): round(copied(model, period), 4) for period in PERIODS},
        **({"edge": {str(period): round(copied(model, period), 4) for period in EDGE}} if "window" in name else {}),
    )


def run_shakespeare(results: Results, name: str, seed: int) -> None:
    """Train a language model of characters, and measure it on all of the new text."""
    data = load_shakespeare()
    torch.manual_seed(seed)
    model = RangeModel(WAYS[name], len(data.characters), **SIZES)
    trainer = LanguageTrainer(model, data.train, TrainingConfig(seed=seed, **TRAINING), LENGTH)
    trainer.run()
    nats = nats_per_token(model, data.validation, LENGTH)
    results.add(part="shakespeare", way=name, seed=seed, updates=trainer.progress.step, nats=round(nats, 4))


def main() -> None:
    """Run what is missing in the result file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--parts", nargs="*", choices=("copying", "shakespeare"), default=["copying", "shakespeare"])
    parser.add_argument("--seeds", nargs="*", type=int, default=list(SEEDS))
    parser.add_argument("--most", type=int, default=1000, help="runs before the program ends; call it again for more")
    options = parser.parse_args()
    torch.set_num_threads(1)
    results, done = Results("long_range", SETTINGS), 0
    for part, run, names in (
        ("copying", run_copying, list(WAYS)),
        ("shakespeare", run_shakespeare, ["full", "window of 16", "linear"]),
    ):
        for seed in options.seeds if part in options.parts else ():
            for name in names:
                if done < options.most and not results.has(part=part, way=name, seed=seed):
                    run(results, name, seed)
                    done += 1
                    print(f"{part}: {name}, seed {seed}", flush=True)


if __name__ == "__main__":
    main()
