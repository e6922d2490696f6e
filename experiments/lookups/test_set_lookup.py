"""The lookups of chapter 04: what is drawn, what does not depend on order, and that both can learn."""

import pytest
import torch
from torch.testing import assert_close

from experiments.lookups.set_lookup import (
    NUM_ANSWERS,
    NUM_NAMES,
    AttentionLookup,
    RecurrentLookup,
    draw_dictionaries,
    measure_lookup,
    train_lookup,
)


def test_the_answer_stands_beside_the_name():
    entries, asked, answers = draw_dictionaries(5, 40, torch.Generator().manual_seed(0))
    names, given = entries[..., :NUM_NAMES], entries[..., NUM_NAMES:]
    assert (names.sum(dim=1) <= 1).all()  # no name twice
    place = (names * asked.unsqueeze(1)).sum(dim=-1).argmax(dim=1)
    assert_close(given[torch.arange(40), place].argmax(dim=-1), answers)
    assert given.shape == (40, 5, NUM_ANSWERS)


def test_only_attention_answers_the_same_in_every_order():
    torch.manual_seed(0)
    entries, asked, _ = (x.double() for x in draw_dictionaries(6, 7))
    order = torch.tensor([3, 0, 5, 1, 4, 2])
    look, read = AttentionLookup().double(), RecurrentLookup().double()
    assert_close(look(entries[:, order], asked), look(entries, asked))
    assert (read(entries[:, order], asked) - read(entries, asked)).abs().max() > 1e-3


@pytest.mark.parametrize(("make", "least"), [(AttentionLookup, 0.99), (RecurrentLookup, 0.3)])
def test_both_learn(make, least):
    torch.manual_seed(0)
    right, _ = measure_lookup(train_lookup(make(), 400), 4, 300)
    assert right > least > 1 / NUM_ANSWERS
