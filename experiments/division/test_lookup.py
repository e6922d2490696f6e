"""The lookup of chapter 05: what a variant says it does, and that one run does not feel the others."""

import math

import pytest
import torch

from experiments.division import lookup
from experiments.division.run import final_losses


def test_each_variant_starts_with_the_spread_it_names():
    spreads = {}
    for name, head in lookup.heads(256).items():
        parameters = lookup.start_parameters(256, head, seeds=range(20))
        spreads[name] = lookup.score_table(parameters, head).std().item()
    for name in ("divided", "not divided, small start", "learned temperature", "QK-norm"):
        assert spreads[name] == pytest.approx(1, rel=0.15)
    for name in ("not divided", "divided, sharp start"):
        assert spreads[name] == pytest.approx(16, rel=0.15)
    assert spreads["not divided, torch's start"] == pytest.approx(16 / 3, rel=0.15)


@pytest.mark.parametrize("optimizer", ["adam", "sgd"])
def test_a_run_does_not_depend_on_its_neighbours(optimizer):
    head = lookup.heads(16)["learned temperature"]
    both = lookup.train(16, head, rates=(1e-3, 1e-2), seeds=(0, 1), num_steps=3, optimizer=optimizer)
    alone = lookup.train(16, head, rates=(1e-2,), seeds=(1,), num_steps=3, optimizer=optimizer)
    torch.testing.assert_close(both[:, 1:, 1:], alone)


def test_adam_is_torchs():
    head = lookup.heads(16)["divided"]
    losses = lookup.train(16, head, rates=(1e-2,), seeds=(3,), num_steps=4)[:, 0, 0]
    parameters = lookup.start_parameters(16, head, seeds=(3,))
    optimizer = torch.optim.Adam(parameters[:-1], lr=1e-2)
    generators = [torch.Generator().manual_seed(103)]
    for loss in losses:
        live = lookup.losses_of(parameters, head, *lookup.draw_batch(generators)).sum()
        torch.testing.assert_close(live.detach(), loss)
        optimizer.zero_grad()
        live.backward()
        optimizer.step()


@pytest.mark.parametrize(("optimizer", "power", "rate"), [("adam", 1 / 4, 1e-3), ("sgd", 1 / 2, 0.1)])
def test_the_division_is_a_smaller_start_and_slower_projections(optimizer, power, rate):
    d_k = 64
    divided = lookup.train(d_k, lookup.heads(d_k)["divided"], (rate,), (0, 1), 20, optimizer)
    instead = lookup.Head(start=d_k**-0.25, slower=d_k**power)
    # The constant in Adam's denominator is the only difference, beside rounding in float32.
    torch.testing.assert_close(
        lookup.train(d_k, instead, (rate,), (0, 1), 20, optimizer), divided, rtol=1e-3, atol=1e-4
    )


def test_the_scores_move_as_far_as_was_worked_out():
    growth = {}
    for name in ("divided", "not divided"):
        moves = [lookup.move_of_scores(d_k, lookup.heads(d_k)[name], "adam", seeds=range(4)) for d_k in (64, 1024)]
        growth[name] = math.log((moves[1].median() / moves[0].median()).item(), 16)
    assert growth["divided"] == pytest.approx(0.5, abs=0.1)
    assert growth["not divided"] == pytest.approx(1.0, abs=0.15)


def test_who_watches_sees_weights_and_changes_nothing():
    seen = []
    head = lookup.heads(16)["divided"]
    plain, watched = (lookup.train(16, head, (0.01,), (0, 1), 40, watch=watch) for watch in (None, seen.append))
    torch.testing.assert_close(plain, watched, rtol=0, atol=0)
    weights = torch.stack(seen)  # (num_steps, runs, BATCH, NUM_PAIRS)
    assert weights.shape == (40, 2, lookup.BATCH, lookup.NUM_PAIRS)
    torch.testing.assert_close(weights.sum(dim=-1), torch.ones(40, 2, lookup.BATCH))
    assert weights[-1, :, :, 0].mean() > 2 * weights[0, :, :, 0].mean()  # more and more on the right pair


def test_an_unknown_optimizer_is_refused():
    with pytest.raises(ValueError, match="optimizer"):
        lookup.train(8, lookup.Head(), rates=(1e-3,), seeds=(0,), num_steps=1, optimizer="lion")


def test_final_losses_of_one_head_are_put_together():
    same = {"d_k": 8, "head": "divided", "optimizer": "sgd", "num_steps": 300}
    runs = [
        {**same, "rates": [0.1, 0.3], "last_30": [[1.0, 2.0], [3.0, None]]},
        {"watched": "divided", "loss": [[1.0]]},
        {**same, "rates": [1.0], "last_30": [[5.0, 6.0]]},
    ]
    final, tried = final_losses(runs)
    torch.testing.assert_close(final[8, "divided", "sgd", 300], torch.tensor([[1.0, 2.0], [3.0, math.inf], [5.0, 6.0]]))
    assert tried == {(8, "divided", "sgd", 300): [0.1, 0.3, 1.0]}
    with pytest.raises(ValueError, match="rising"):
        final_losses(runs[::-1])
