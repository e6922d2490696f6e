"""Whether numbers close to 0 are taken for 0: only inside, and as before afterwards."""

import pytest
import torch

from transformer_course.common.subnormals import without_subnormals


def are_kept() -> bool:
    return (torch.full((3,), 1e-40) * 1.0).ne(0).all().item()


@pytest.fixture(autouse=True)
def processor():
    if not torch.set_flush_denormal(True):
        pytest.skip("this processor cannot take them for 0")
    torch.set_flush_denormal(False)
    yield
    torch.set_flush_denormal(False)


def test_only_inside_even_after_an_error():
    assert are_kept()
    with without_subnormals():
        assert not are_kept()
    assert are_kept()
    with pytest.raises(KeyError), without_subnormals():
        raise KeyError
    assert are_kept()


def test_what_was_set_before_stays():
    torch.set_flush_denormal(True)
    with without_subnormals():
        assert not are_kept()
    assert not are_kept()


def test_the_smallest_number_that_stays():
    smallest = torch.finfo(torch.float32).tiny
    with without_subnormals():
        assert (torch.full((3,), smallest) * 1.0).eq(smallest).all()
        assert (torch.full((3,), smallest) * 0.99).eq(0).all()
        assert (torch.full((3,), 1e-300, dtype=torch.float64) * 1.0).ne(0).all()
