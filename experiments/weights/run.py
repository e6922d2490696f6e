"""Train the networks whose weights the pages load: `python -m experiments.weights [NAME ...]`.

A page that trained them itself would get another network on another processor, and its text would no longer fit.
What is there and was made by the same maker is left as it is. About six minutes of CPU time.
"""

import hashlib
import inspect
import json
from collections.abc import Callable, Sequence

import torch
from torch import nn

from benchmarks.measuring import environment
from experiments.captions.looking import PatchesApart
from experiments.induction import copying
from experiments.induction.run import SETTINGS as OF_COPIERS
from experiments.inside_seeds.small_translators import SETTINGS, SIZES, train_small_translator
from experiments.looks import run as looks
from experiments.weights.stored import FOLDER, read_metadata, save_weights
from transformer_course.data.toy_grammar import as_tensors
from transformer_course.training import captions


def decoding_translator() -> nn.Module:
    """Train the translator of chapter 11, which is meant to make mistakes."""
    return train_small_translator(num_train=8_000, num_steps=220).model


def rnn_translator() -> nn.Module:
    """Train the small recurrent translator that chapter 03 puts into its page."""
    _, known = looks.sentences()
    return looks.train("dot", 0, as_tensors(known))


def inside_translator() -> nn.Module:
    """Train the translator of chapter 12."""
    return train_small_translator(num_train=24_000, num_steps=500).model


def copier() -> nn.Module:
    """Train the copier of chapter 13 that is attention alone, with positions by rotation."""
    return copying.train("attention only", num_layers=2, seed=0)[0]


def gpt_copier() -> nn.Module:
    """Train the copier of chapter 13 that is a small GPT, with learned positions."""
    return copying.train("language model", num_layers=2, seed=0)[0]


def pointing_captioner() -> nn.Module:
    """Train the captioner with patches apart of chapter 16, as far as its attention points."""
    torch.manual_seed(0)
    model = captions.new_captioner(PatchesApart)
    captions.train_captioner(model, seed=0, num_steps=550)
    return model


MAKERS: dict[str, tuple[Callable[[], nn.Module], dict]] = {  # each with the settings that it does not show
    "decoding_translator": (decoding_translator, SIZES | SETTINGS),
    "rnn_translator": (rnn_translator, looks.SETTINGS),
    "inside_translator": (inside_translator, SIZES | SETTINGS),
    "copier": (copier, OF_COPIERS),
    "gpt_copier": (gpt_copier, OF_COPIERS),
    "pointing_captioner": (pointing_captioner, {"rate": captions.RATE, "batch": captions.BATCH}),
}


def fingerprint(name: str) -> str:
    """Return a hash of a maker's code and settings."""
    maker, settings = MAKERS[name]
    return hashlib.sha256((inspect.getsource(maker) + json.dumps(settings, sort_keys=True)).encode()).hexdigest()


def main(names: Sequence[str] = ()) -> None:
    """Make what is missing, of these names or of all."""
    torch.set_num_threads(1)
    for name in names or MAKERS:
        path = FOLDER / f"{name}.safetensors"
        if path.exists() and read_metadata(name)["of"] == fingerprint(name):
            continue
        maker, settings = MAKERS[name]
        told = {"settings": settings, "measured_on": environment(torch.device("cpu"))}
        save_weights(name, maker(), {"of": fingerprint(name)} | {key: json.dumps(value) for key, value in told.items()})
        print(f"{path.name}: {path.stat().st_size / 1e3:.0f} kB")
