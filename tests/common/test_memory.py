"""Memory counted by hand."""

import torch
from torch.utils.checkpoint import checkpoint

from transformer_course.common.memory import Memory

MATRIX = 4 * 50 * 50  # bytes


def test_views_and_inputs_cost_nothing_and_what_is_dropped_is_free_again():
    x = torch.ones(50, 50)
    with Memory(x) as memory:
        y = x[1:].T.expand(3, 50, 49)
        assert memory.peak == memory.living == memory.made == 0
        for _ in range(5):
            z = x.exp()
        x.add_(1)
    assert y.shape == (3, 50, 49)
    assert z.shape == (50, 50)
    assert (memory.living, memory.largest, memory.made) == (MATRIX, MATRIX, 5 * MATRIX)
    assert memory.peak == 2 * MATRIX  # the new one is there before the name lets go of the old one
    del z
    assert memory.living == 0


def test_copies_inside_an_operation_are_seen():
    query, key = torch.ones(2, 3, 1, 4), torch.ones(2, 1, 50, 4)
    with Memory(query, key) as memory:
        scores = query @ key.transpose(-2, -1)
    assert scores.shape == (2, 3, 1, 50)
    assert memory.largest == 4 * 2 * 3 * 50 * 4  # matmul has copied the keys for each of the three


def test_what_is_kept_for_the_backward_pass():
    x = torch.ones(50, 50, requires_grad=True)
    with Memory(x) as memory:
        result = (x.exp() + 1).exp().sum()
    assert memory.living == 2 * MATRIX + 4  # each exp keeps its result, the sum is one number
    with Memory(x) as checkpointed:
        result = checkpoint(lambda x: (x.exp() + 1).exp().sum(), x, use_reentrant=False)
    assert checkpointed.living == 4
    with checkpointed:
        result.backward()
    assert checkpointed.living == 4 + MATRIX  # the gradient
    assert checkpointed.peak >= 3 * MATRIX


def test_what_another_process_counted_is_added():
    with Memory() as memory:
        x = torch.ones(10)
        memory.heard(peak=100, living=8, largest=60, made=200)
    assert len(x) == 10
    assert (memory.peak, memory.living, memory.largest, memory.made) == (140, 48, 60, 240)
    memory.restart()
    assert (memory.peak, memory.living, memory.largest, memory.made) == (48, 48, 0, 0)
