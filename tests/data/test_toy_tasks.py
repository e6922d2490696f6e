"""Copy, reverse, sort: what the target is, lengths, ids, repeatability."""

import pytest
import torch

from transformer_course.common.tokens import BOS, EOS
from transformer_course.data.toy_tasks import make_toy_examples


@pytest.mark.parametrize(
    ("task", "is_right"),
    [
        ("copy", lambda source, target: source == target),
        ("reverse", lambda source, target: all(target[-1 - i] == token for i, token in enumerate(source))),
        ("sort", lambda source, target: all(a <= b for a, b in zip(target, target[1:], strict=False))),
    ],
)
def test_targets(task, is_right):
    examples = make_toy_examples(task, 300, 11, 2, 7, torch.Generator().manual_seed(0))
    assert len(examples) == 300
    assert {len(source) - 1 for source, _ in examples} == set(range(2, 8))
    assert {token for source, _ in examples for token in source[:-1]} == set(range(4, 11))
    for source, target in examples:
        assert source[-1] == target[-1] == EOS
        assert target[0] == BOS
        assert sorted(source) == sorted(target[1:])
        assert is_right(source[:-1], target[1:-1])


def test_repeatable():
    def draw(seed):
        return make_toy_examples("copy", 20, 9, 0, 5, torch.Generator().manual_seed(seed))

    assert draw(0) == draw(0)
    assert draw(0) != draw(1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("double", 3, 9, 1, 5), "task: expected one of copy, reverse, sort, got 'double'"),
        (("copy", -1, 9, 1, 5), "num_examples: expected 0 or more, got -1"),
        (("copy", 3, 4, 1, 5), "vocab_size: expected more than 4"),
        (("copy", 3, 9, 6, 5), "min_length: expected from 0 to max_length = 5, got 6"),
    ],
)
def test_errors(arguments, message):
    with pytest.raises(ValueError, match=message):
        make_toy_examples(*arguments, torch.Generator())
