"""The experiment of chapter 02 on the width of the one vector."""

import json

import torch

from experiments.ladder import SETTINGS
from experiments.one_vector import D_HIDDEN, NUM_STEPS, NarrowTranslator
from experiments.results import FOLDER
from transformer_course.ladder.gru import GRUTranslator

SOURCE = torch.tensor([[4, 5, 6, 2], [7, 2, 0, 0]])  # (batch, source_length), the second sentence padded
TARGET = torch.tensor([[1, 4, 5], [1, 6, 7]])  # (batch, target_length)


def test_only_the_first_entries_are_handed_over():
    torch.manual_seed(0)
    model = NarrowTranslator(9, 8, d_vector=3, d_hidden=10)
    with torch.no_grad():
        narrow = model.start_decoding(SOURCE)["hidden"]
        whole = GRUTranslator.start_decoding(model, SOURCE)["hidden"]
    torch.testing.assert_close(narrow[:, :3], whole[:, :3])
    assert (whole[:, 3:] != 0).all()
    assert (narrow[:, 3:] == 0).all()


def test_word_by_word_it_says_the_same():
    torch.manual_seed(0)
    model = NarrowTranslator(9, 8, d_vector=3, d_hidden=10).double()
    with torch.no_grad():
        at_once, state = model(SOURCE, TARGET), model.start_decoding(SOURCE)
        assert not torch.allclose(at_once[0, 0], at_once[1, 0])
        for position in range(TARGET.shape[1]):
            logits, state = model.decode_step(TARGET[:, position], state)
            torch.testing.assert_close(logits, at_once[:, position])


def test_the_committed_runs_differ_in_width_and_seed_only():
    kept = json.loads((FOLDER / "one_vector.json").read_text(encoding="utf-8"))
    assert kept["settings"] == {
        "num_steps": NUM_STEPS,
        "d_hidden": D_HIDDEN,
        "num_train": 20_000,
        "model": SETTINGS["gru"],
    }
    runs = {(run["d_vector"], run["seed"]) for run in kept["runs"]}
    assert len(runs) == len(kept["runs"])
    assert all((width, 0) in runs for width, _ in runs)
