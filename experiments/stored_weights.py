"""Train the networks whose weights the pages load: `python -m experiments.stored_weights [NAME ...]`.

A page that trained them itself would get another network on another processor, and its text would no longer fit.
What is there and was made by the same maker is left as it is. About two minutes of CPU time for both translators.
"""

import hashlib
import inspect
import json
import sys
from collections.abc import Callable
from pathlib import Path

import torch
from torch import nn

from benchmarks.measuring import environment
from transformer_course.training import small_translators
from transformer_course.training.small_translators import train_small_translator
from transformer_course.training.stored_weights import read_metadata, save_weights

FOLDER = Path(__file__).parent / "weights"


def decoding_translator() -> nn.Module:
    """Train the translator of chapter 11, which is meant to make mistakes."""
    return train_small_translator(num_train=8_000, num_steps=220).model


def inside_translator() -> nn.Module:
    """Train the translator of chapter 12."""
    return train_small_translator(num_train=24_000, num_steps=500).model


MAKERS: dict[str, tuple[Callable[[], nn.Module], dict]] = {  # each with the settings that it does not show
    "decoding_translator": (decoding_translator, {**small_translators.SIZES, **small_translators.SETTINGS}),
    "inside_translator": (inside_translator, {**small_translators.SIZES, **small_translators.SETTINGS}),
}


def fingerprint(name: str) -> str:
    """Return a hash of a maker's code and settings."""
    maker, settings = MAKERS[name]
    return hashlib.sha256((inspect.getsource(maker) + json.dumps(settings, sort_keys=True)).encode()).hexdigest()


def main(names: list[str]) -> None:
    """Make what is missing, of these names or of all."""
    torch.set_num_threads(1)
    for name in names or MAKERS:
        path = FOLDER / f"{name}.safetensors"
        if path.exists() and read_metadata(path)["of"] == fingerprint(name):
            continue
        maker, settings = MAKERS[name]
        measured_on = environment(torch.device("cpu"))
        told = {"settings": settings, "measured_on": measured_on}
        metadata = {"of": fingerprint(name)} | {key: json.dumps(value) for key, value in told.items()}
        save_weights(path, maker(), metadata)
        print(f"{path.name}: {path.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
