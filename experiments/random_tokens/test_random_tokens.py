"""The decoders of chapter 06: what they read runs one step behind what they predict, and sides are sides."""

import math

import pytest
import torch

from experiments.random_tokens import random_tokens


def see_nothing(query, key, value):
    return torch.zeros_like(value)


def test_tokens_run_one_step_behind_the_labels():
    tokens, labels = random_tokens.random_batch(torch.Generator().manual_seed(0), batch=5)
    assert tokens.shape == labels.shape == (5, random_tokens.LENGTH)
    assert (tokens[:, 0] == random_tokens.VOCABULARY).all()
    assert torch.equal(tokens[:, 1:], labels[:, :-1])


def test_who_sees_nothing_learns_nothing():
    losses, cut_off = random_tokens.train_on_noise(see_nothing, seed=0, num_steps=60)
    assert len(losses) == 60
    assert sum(losses[-20:]) / 20 == pytest.approx(math.log(8), abs=0.08)
    assert cut_off == pytest.approx(math.log(8), abs=0.08)


def test_fixed_sequences_can_be_learned_by_heart():
    fresh, _ = random_tokens.train_on_noise(see_nothing, seed=0, num_steps=100)
    fixed, cut_off = random_tokens.train_on_noise(see_nothing, seed=0, num_steps=100, num_fixed=4)
    assert sum(fixed[-20:]) < 0.8 * sum(fresh[-20:])
    assert cut_off > math.log(8)  # on new sequences it is worse than guessing


def test_padding_stands_on_the_side_that_was_asked_for():
    seen = {}
    for side in ("left", "right"):
        real = []
        random_tokens.train_with_padding(lambda mask, real=real: real.append(mask) or see_nothing, side, num_steps=1)
        seen[side] = real[0]
    real_everywhere = {side: mask.all(dim=0) for side, mask in seen.items()}  # (LENGTH,)
    assert real_everywhere["right"].tolist() == [True, True] + [False] * 6  # lengths from 2 to 8
    assert real_everywhere["left"].tolist() == [False] * 6 + [True, True]
    with pytest.raises(ValueError, match="side"):
        random_tokens.train_with_padding(lambda mask: see_nothing, "top")
