"""Checkpoints: written whole or not at all, read without running code from the file."""

import hashlib
import os
from pathlib import Path
from typing import Any

import torch

FORMAT = 1


def save_checkpoint(path: str | Path, state: dict) -> None:
    """Write a state so that a crash in the middle leaves the previous file as it was.

    Args:
        path: the file; its folder is made.
        state: tensors, numbers, strings, lists and dicts of them.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(path.name + ".part")
    torch.save({"format": FORMAT, **state}, unfinished)
    os.replace(unfinished, path)


def fingerprint(data: Any) -> str:
    """Return a short name of lists, numbers and strings that other ones do not have."""
    return hashlib.sha256(repr(data).encode()).hexdigest()[:16]


def refuse_another_run(state: dict, made_with: dict[str, Any]) -> None:
    """Raise ``ValueError`` if a checkpoint comes from other data or other batches than a run that is to go on."""
    for name, value in made_with.items():
        if state.get("made_with", made_with)[name] != value:
            raise ValueError(f"checkpoint: made with other {name} than this run's; go on with those, or begin anew")


def load_checkpoint(path: str | Path) -> dict:
    """Read a state onto the CPU.

    Args:
        path: a file that `save_checkpoint` wrote.

    Returns:
        The state.

    Raises:
        ValueError: if there is no such file, or it is not a checkpoint of this course.
    """
    path = Path(path)
    if not path.is_file():
        raise ValueError(f"checkpoint: expected a file at {path}; `python -m transformer_course train` writes one")
    try:
        state = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:
        raise ValueError(f"checkpoint: {path} cannot be read as a checkpoint ({type(error).__name__})") from error
    if not isinstance(state, dict) or state.get("format") != FORMAT:
        raise ValueError(f"checkpoint: {path} is not a checkpoint of format {FORMAT}")
    return state
