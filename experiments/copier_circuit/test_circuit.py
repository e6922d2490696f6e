"""What is said of the circuits of copiers, on cases that are known by hand, and of the stored ones."""

import pytest
import torch
from torch import nn

from experiments.copier_circuit.circuit import (
    accuracy_without,
    answers_out_of_order,
    copies_with_moved_output,
    moved,
)
from experiments.copier_circuit.run import KINDS, SEEDS
from experiments.induction.copying import held_out_texts, make_model, measure
from experiments.results import committed
from experiments.weights.stored import load_weights

STORED = {"attention only": "copier", "language model": "gpt_copier"}


class Table(nn.Module):
    """Say after each letter what followed it in the first half: a perfect copier without any attention."""

    def __init__(self, period: int):
        super().__init__()
        self.period = period

    def forward(self, tokens):
        logits = torch.zeros(*tokens.shape, 64)
        for text, out in zip(tokens, logits, strict=True):
            first = text[: self.period].tolist()
            follows = dict(zip(first, first[1:], strict=False))
            for place, token in enumerate(text.tolist()):
                if token in follows:
                    out[place, follows[token]] = 1.0
        return logits


def test_moving_goes_round_in_a_circle_without_the_first_place():
    places = moved(torch.arange(1, 24), period=24)
    assert sorted(places.tolist()) == list(range(1, 24))
    assert moved(torch.tensor([1, 20]), period=24).tolist() == [6, 2]


def test_a_perfect_copier_answers_in_any_order():
    first = torch.tensor([[5, 9, 2, 7], [1, 8, 3, 6]])
    asked, answer, right = answers_out_of_order(Table(4), first, torch.Generator().manual_seed(0))
    assert right.all()
    assert len(asked) == 2 * 3  # the last letter of each half has no successor
    assert sorted(answer.tolist()) == [1, 1, 2, 2, 3, 3]
    assert asked.min() >= 4


@pytest.mark.parametrize("kind", KINDS)
def test_the_stored_copier_is_that_of_the_results(kind):
    """The same weights: rounding of another processor may move a few of 368 answers."""
    model = load_weights(STORED[kind], make_model(kind, 2))
    (kept,) = (run for run in committed("copier_circuit")["runs"] if run["kind"] == kind and run["seed"] == 0)
    tokens = held_out_texts()
    assert measure(model, tokens).accuracy == pytest.approx(kept["accuracy"], abs=0.01)
    cut = next(run for run in kept["without"] if run["layer"] == 0 and run["heads"] == [2, 3])
    assert accuracy_without(model, 0, [2, 3], tokens) == pytest.approx(cut["accuracy"], abs=0.03)
    carried = next(run for run in kept["moved"] if run["heads"] == [2, 3])
    assert copies_with_moved_output(model, [2, 3], tokens) == pytest.approx(carried["right_and_behind"], abs=0.03)


def test_all_seeds_are_there():
    assert {(run["kind"], run["seed"]) for run in committed("copier_circuit")["runs"]} == {
        (kind, seed) for kind in KINDS for seed in SEEDS
    }
