"""The experiment of chapter 02 on the width of the one vector."""

import torch

from experiments.one_vector.run import SETTINGS, SIZES, WIDTHS, NarrowTranslator, draw, right_by_phrases
from experiments.results import committed
from transformer_course.data.toy_grammar import ENGLISH, FRENCH
from transformer_course.training.ladder.gru import GRUTranslator

SOURCE = torch.tensor([[4, 5, 6, 2], [7, 2, 0, 0]])  # (batch, source_length), the second sentence padded
TARGET = torch.tensor([[1, 4, 5], [1, 6, 7]])  # (batch, target_length)


def make():
    torch.manual_seed(0)
    return NarrowTranslator(len(ENGLISH), len(FRENCH), d_vector=3, d_embedding=5, d_hidden=10)


def test_only_the_first_entries_are_handed_over():
    model = make()
    with torch.no_grad():
        narrow = model.start_decoding(SOURCE)["hidden"]
        whole = GRUTranslator.start_decoding(model, SOURCE)["hidden"]
    torch.testing.assert_close(narrow[:, :3], whole[:, :3])
    assert (whole[:, 3:] != 0).all()
    assert (narrow[:, 3:] == 0).all()


def test_word_by_word_it_says_the_same():
    model = make()
    with torch.no_grad():
        at_once, state = model(SOURCE, TARGET), model.start_decoding(SOURCE)
        assert not torch.allclose(at_once[0, 0], at_once[1, 0])
        for position in range(TARGET.shape[1]):
            logits, state = model.decode_step(TARGET[:, position], state)
            torch.testing.assert_close(logits, at_once[:, position])


def test_new_sentences_are_new_and_counted():
    train, new = draw()
    assert len(train) == SETTINGS["num_train"]
    assert not {pair.source for pair in train} & {pair.source for pair in new}
    counted = right_by_phrases(make(), new[:40])
    assert sum(number for _, number in counted.values()) == 40
    assert all(0 <= share <= 1 for share, _ in counted.values())


def test_the_committed_runs_differ_in_width_and_seed_only():
    kept = committed("one_vector")
    assert kept["settings"] == {"training": SETTINGS, "sizes": SIZES}
    runs = [(run["d_vector"], run["seed"]) for run in kept["runs"]]
    seeds = {seed for _, seed in runs}
    assert len(seeds) >= 2
    assert sorted(runs) == sorted((width, seed) for width in WIDTHS for seed in seeds)
