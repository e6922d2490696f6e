"""Which kernel torch takes, against the one that it was told to take."""

import pytest
import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

from drawings.torch_kernels import kernel_of

X = torch.randn(1, 2, 8, 4, generator=torch.Generator().manual_seed(0))


@pytest.mark.parametrize(("backend", "name"), [(SDPBackend.FLASH_ATTENTION, "flash"), (SDPBackend.MATH, "math")])
def test_the_kernel_that_was_asked_for_is_named(backend, name):
    with sdpa_kernel(backend):
        assert kernel_of(lambda: F.scaled_dot_product_attention(X, X, X)) == name


def test_weights_that_are_asked_for_are_computed():
    attention = nn.MultiheadAttention(8, 2, batch_first=True)
    x = torch.ones(1, 3, 8)
    assert kernel_of(lambda: attention(x, x, x, need_weights=True)) == "math"
    assert kernel_of(lambda: attention(x, x, x, need_weights=False)) == "flash"
    assert kernel_of(lambda: X + 1) == "none"
