"""What is added to the stream and to the memory: known answers on small models."""

import pytest
import torch

from experiments.inside_seeds.contributions import memory_gradient, projected_shares, value_norms
from transformer_course.interpret.interventions import head_says, weights_changed
from transformer_course.multi_head_attention import MultiHeadAttention
from transformer_course.transformer import Transformer


@pytest.fixture
def model():
    torch.manual_seed(0)
    return Transformer(9, 11, 12, 3, 2, 2, 20, dropout=0.0, norm_first=True).double().eval()


@pytest.fixture
def attention():
    torch.manual_seed(1)
    return MultiHeadAttention(12, 3).double()


X = torch.randn(2, 5, 12, dtype=torch.float64, generator=torch.Generator().manual_seed(2))


def test_weights_times_values_in_the_stream_are_the_output(attention):
    norms = value_norms(attention, X)
    assert norms.shape == (2, 3, 5)
    # All weight on key 4, one head alone, no bias: the output is as long as the norm says.
    attention.w_output.bias.data.zero_()
    one = torch.zeros(5, dtype=torch.float64)
    one[4] = 1
    others = head_says(attention, 0, 0.0), head_says(attention, 1, 0.0)
    with weights_changed(attention, lambda weights: one.expand_as(weights)), others[0], others[1]:
        output = attention(X, X, X, need_weights=False)[0]
    torch.testing.assert_close(output[:, 0].norm(dim=-1), norms[:, 2, 4])


def test_projected_shares_sum_to_one_and_know_that_vectors_cancel(attention):
    generator = torch.Generator().manual_seed(3)
    weights = torch.rand(2, 3, 4, 5, dtype=torch.float64, generator=generator).softmax(dim=-1)
    shares = projected_shares(attention, X, weights)
    torch.testing.assert_close(shares.sum(dim=-1), torch.ones(2, 3, 4, dtype=torch.float64))
    # Two keys with opposite values and a third one: what the two add cancels, so all of the sum is the third's.
    attention.w_value.bias.data.zero_()
    opposite = torch.stack([X[0, 0], -X[0, 0], X[0, 1]])[None]
    row = torch.tensor([0.3, 0.3, 0.4], dtype=torch.float64).expand(1, 3, 1, 3)
    found = projected_shares(attention, opposite, row)[0, :, 0]
    torch.testing.assert_close(found[:, 0], -found[:, 1])
    torch.testing.assert_close(found[:, 2], torch.ones(3, dtype=torch.float64))


def test_the_gradient_agrees_with_a_small_step(model):
    source = torch.tensor([[4, 5, 6, 2]])
    gradient = memory_gradient(model, source)
    assert gradient.shape == (4, 4)
    # Hutchinson: the mean square of what small random steps move is the squared norm.
    x = model.source_embedding(source).detach()

    def memory(x):
        for block in model.encoder_blocks:
            x = block(x, None)
        return model.encoder_norm(x)[0]

    moved = torch.zeros(4, dtype=torch.float64)
    with torch.no_grad():
        for feature in range(12):
            step = torch.zeros_like(x)
            step[0, 2, feature] = 1e-6
            moved += ((memory(x + step) - memory(x - step)) / 2e-6).square().sum(dim=-1)
    torch.testing.assert_close(moved.sqrt(), gradient[:, 2], rtol=1e-5, atol=1e-8)
