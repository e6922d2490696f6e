"""Checkpoints: whole or not at all, and no code from a file."""

import os

import pytest
import torch

from transformer_course.training.checkpoint import load_checkpoint, save_checkpoint


def test_a_crash_while_writing_leaves_the_previous_file(tmp_path, monkeypatch):
    path = tmp_path / "deep" / "run.pt"
    save_checkpoint(path, {"step": 1})

    def crash(state, file):
        file.write_bytes(b"half of a file")
        raise OSError("disk full")

    monkeypatch.setattr(torch, "save", crash)
    with pytest.raises(OSError, match="disk full"):
        save_checkpoint(path, {"step": 2})
    assert load_checkpoint(path)["step"] == 1


class Bomb:
    def __reduce__(self):
        return os.system, ("exit 3",)


@pytest.mark.parametrize("content", ["nothing", "text", "pickle", "other"])
def test_what_is_no_checkpoint_is_refused(tmp_path, content):
    path = tmp_path / "run.pt"
    if content == "text":
        path.write_text("hello")
    elif content == "pickle":
        torch.save({"format": 1, "model": Bomb()}, path)
    elif content == "other":
        torch.save({"format": 77}, path)
    with pytest.raises(ValueError, match="checkpoint: "):
        load_checkpoint(path)
