"""The measurements of chapter 09, on cases whose answer is known."""

import itertools
import math
from collections import Counter

import pytest
import torch
from torch.testing import assert_close

from experiments.sorters import deep_stacks
from transformer_course.transformer_blocks import DecoderBlock, EncoderBlock


def test_equal_words_have_no_own_part_and_opposite_words_nothing_else():
    word = torch.tensor([1.0, 2.0, 3.0])
    assert deep_stacks.own_part(torch.stack([word, word]).unsqueeze(0)) == 0
    assert deep_stacks.own_part(torch.stack([word, -word]).unsqueeze(0)) == pytest.approx(1)


@pytest.mark.parametrize("norm_first", [False, True])
def test_the_straight_run_computes_the_same_and_its_gradient_takes_one_way(norm_first):
    block = EncoderBlock(32, 4, 64, norm_first=norm_first)
    x = torch.randn(2, 5, 32, requires_grad=True)
    straight = deep_stacks.run_straight(block, x)
    assert_close(straight, block(x))
    if norm_first:
        (gradient,) = torch.autograd.grad(straight.sum(), x)
        assert_close(gradient, torch.ones_like(x))


@pytest.mark.parametrize("norm_first", [False, True])
def test_gradients_of_the_stream_are_one_at_the_top(norm_first):
    found = deep_stacks.stream_gradients(3, norm_first, seed=0)
    assert len(found) == 4
    assert found[-1] == 1
    if norm_first:
        assert deep_stacks.stream_gradients(3, True, seed=0, straight=True) == pytest.approx([1] * 4)


@pytest.mark.parametrize("kind", [EncoderBlock, DecoderBlock])
def test_weight_gradients_are_there_for_every_block(kind):
    found = deep_stacks.weight_gradients(kind, 3, False, seed=0)
    assert set(found) == {"own part", "query", "network", "stream"}
    assert {len(numbers) for numbers in found.values()} == {3}
    assert min(min(numbers) for numbers in found.values()) > 0


def test_the_first_update_moves_the_output_less_at_a_lower_rate():
    far, near = (deep_stacks.first_update(2, True, seed=0, rate=rate) for rate in (1e-3, 1e-5))
    assert 0 < near < far / 10


def test_knowing_the_place_alone_is_what_counting_all_rows_gives():
    length, num_values = 4, 3
    rows = [sorted(row) for row in itertools.product(range(num_values), repeat=length)]
    loss, share = 0.0, 0.0
    for at_place in zip(*rows, strict=True):
        chances = [count / len(rows) for count in Counter(at_place).values()]
        loss -= sum(p * math.log(p) for p in chances) / length
        share += max(chances) / length
    assert deep_stacks.place_alone(length, num_values) == pytest.approx((loss, share))
    assert deep_stacks.place_alone(1) == pytest.approx((math.log(9), 1 / 9))


def test_a_sorter_learns_and_can_be_looked_into():
    torch.manual_seed(0)
    model = deep_stacks.Sorter(2, norm_first=True)
    losses, looks = deep_stacks.train_sorter(model, 0, 40, 3e-3, 5, falls=True, look_after=(0, 5))
    assert losses[-1] < losses[0] - 0.3
    assert set(looks) == {0, 5}
    assert looks[0]["gradients"][-1] == 1
    assert 0 < looks[5]["own"] <= 1
    read = deep_stacks.accuracy_by_depth(model)
    assert len(read) == 5
    assert read[-1] > 0.2
    # Without either sublayer's part the stream stays what it was.
    for block in model.stack.blocks:
        block.feed_forward = deep_stacks.Silent()
    assert deep_stacks.accuracy_by_depth(model, without="attention") == read[:1] * 5
    # The last reading is what the model answers.
    numbers = model.draw(500, 8, torch.Generator().manual_seed(99))
    right = (model(numbers).argmax(-1) == numbers.sort().values).double().mean().item()
    assert deep_stacks.accuracy_by_depth(model)[-1] == pytest.approx(right)
