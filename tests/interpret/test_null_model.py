"""The null model of chapter 12 against the distribution that it should have, worked out by hand."""

import pytest
import torch
from torch.testing import assert_close

from transformer_course.inside_attention import head_similarity
from transformer_course.interpret.null_model import random_attention
from transformer_course.masking import causal_mask


@pytest.fixture
def generator() -> torch.Generator:
    return torch.Generator().manual_seed(0)


@pytest.mark.parametrize("key_length", [1, 2, 6])
def test_random_rows_are_uniform_on_the_simplex(generator, key_length):
    num_maps = 20_000
    maps = random_attention(num_maps, 2, key_length, generator=generator)
    assert maps.shape == (num_maps, 2, key_length)
    assert (maps >= 0).all()
    assert_close(maps.sum(dim=-1), torch.ones(num_maps, 2))
    # One entry of a uniform row of n exceeds t with probability (1 - t) ** (n - 1), up to a standard error of 0.0025.
    for t in (0.1, 0.3, 0.7):
        share = (maps > t).float().mean(dim=0)
        assert_close(share, torch.full((2, key_length), (1 - t) ** (key_length - 1)), rtol=0, atol=0.015)


def test_random_rows_stay_within_the_mask(generator):
    mask = causal_mask(5)
    mask[3] = False
    maps = random_attention(40, 5, 5, mask, generator)
    assert ((maps > 0) == mask).all()
    assert_close(maps.sum(dim=-1), torch.tensor([1.0, 1, 1, 0, 1]).expand(40, 5))


def mean_similarity(maps):
    """The mean cosine of pairs of maps."""
    return head_similarity(maps.unflatten(0, (-1, 2)))[:, 0, 1].mean().item()


@pytest.mark.parametrize("length", [16, 24])
def test_chance_is_what_the_moments_of_the_simplex_say(generator, length):
    # A row over n keys has E[p_j] = 1 / n and E[p_j ** 2] = 2 / (n (n + 1)). The cosine of two large independent maps
    # is close to the ratio of the expectations: (1 / n) / (2 / (n + 1)) without a mask; with a causal one the sums of
    # both over rows with 1, 2, ... keys. The ratio of averages is not the average ratio, hence 0.01.
    full = mean_similarity(random_attention(400, length, length, generator=generator))
    assert abs(full - (length + 1) / (2 * length)) < 0.01
    keys = range(1, length + 1)
    causal = mean_similarity(random_attention(400, length, length, causal_mask(length), generator))
    assert abs(causal - sum(1 / n for n in keys) / sum(2 / (n + 1) for n in keys)) < 0.01
    assert causal > full + 0.1


def test_draws_come_from_the_generator():
    first, again, other = (random_attention(2, 3, 4, generator=torch.Generator().manual_seed(i)) for i in (1, 1, 2))
    assert torch.equal(first, again)
    assert not torch.equal(first, other)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: random_attention(0, 2, 3), "num_maps: expected an integer of at least 1, got 0"),
        (lambda: random_attention(1, 0, 3), "query_length: expected an integer of at least 1, got 0"),
        (lambda: random_attention(1, 2, 0), "key_length: expected an integer of at least 1, got 0"),
        (lambda: random_attention(1, 2, 3, torch.ones(2, 3)), "mask: expected dtype torch.bool"),
        (lambda: random_attention(1, 2, 3, causal_mask(2)), r"mask: .* \(2, 3\), got \(2, 2\)"),
    ],
)
def test_errors_name_argument_expected_and_got(call, message):
    with pytest.raises(ValueError, match=message):
        call()
