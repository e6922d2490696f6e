"""Unit 09: what the layers do where nothing is said, the weights with which they begin, and what else they refuse."""

import math

import pytest
import torch
from torch import nn
from torch.nn import functional as F
from torch.testing import assert_close

from transformer_course.transformer_blocks import DecoderBlock, EncoderBlock, FeedForward, LayerNorm, layer_norm

D_MODEL, HEADS, D_FF = 12, 3, 17
X, MEMORY = torch.randn(2, 5, D_MODEL), torch.randn(2, 7, D_MODEL)
BLOCKS = pytest.mark.parametrize(("block", "inputs"), [(EncoderBlock, (X,)), (DecoderBlock, (X, MEMORY))])


@BLOCKS
def test_a_block_is_that_of_the_paper_where_nothing_is_said(block, inputs):
    plain = block(D_MODEL, HEADS, D_FF)
    said = block(D_MODEL, HEADS, D_FF, dropout=0.0, activation="relu", norm_first=False)
    said.load_state_dict(plain.state_dict())
    assert_close(plain(*inputs), said(*inputs, is_causal=False), rtol=0, atol=0)  # both in training mode
    other = block(D_MODEL, HEADS, D_FF, norm_first=True)
    other.load_state_dict(plain.state_dict())
    assert not torch.allclose(plain(*inputs), other(*inputs))
    assert not torch.allclose(plain(*inputs), plain(*inputs, is_causal=True))


@BLOCKS
def test_no_block_asks_its_attention_for_weights(block, inputs, monkeypatch):
    asked = []
    module = block(D_MODEL, HEADS, D_FF)
    for attention in (part for name, part in module.named_children() if name.endswith("attention")):
        attention.register_forward_hook(lambda _, __, output: asked.append(output[1]))
    module(*inputs)
    assert asked == [None] * len(inputs)


def test_the_norm_adds_what_torchs_adds_where_nothing_is_said():
    constant = torch.full((2, 3), 7.0)
    assert torch.equal(layer_norm(constant, torch.ones(3), torch.zeros(3)), torch.zeros(2, 3))  # 0 / 0 without eps
    small = X * 1e-3
    expected = nn.LayerNorm(D_MODEL)(small)
    assert_close(LayerNorm(D_MODEL)(small), expected)
    assert_close(layer_norm(small, torch.ones(D_MODEL), torch.zeros(D_MODEL)), expected)


def test_the_feed_forward_network_begins_xavier_uniform_and_without_shifts():
    torch.manual_seed(0)
    network = FeedForward(40, 60)
    for linear in (network.linear_1, network.linear_2):
        bound = math.sqrt(6 / (40 + 60))
        assert linear.weight.abs().max() <= bound
        assert linear.weight.std().item() == pytest.approx(bound / math.sqrt(3), rel=0.05)
        assert (linear.bias == 0).all()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("relu", F.relu),
        ("gelu", F.gelu),
        ("gelu_tanh", lambda x: 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))),
        ("silu", lambda x: x / (1 + torch.exp(-x))),
    ],
)
def test_activations_by_their_formulas(name, expected):
    network = FeedForward(D_MODEL, D_FF, activation=name).double()
    x = X.double()
    assert_close(network(x), network.linear_2(expected(network.linear_1(x))))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: LayerNorm(4, eps=-1e-9), "eps: expected a number of at least 0, got -1e-09"),
        (lambda: layer_norm(X, torch.ones(1, 12), torch.ones(1, 12)), r"weight: expected shape \(d_model,\), got \(1,"),
        (lambda: FeedForward(0, 9), "d_model: expected an integer of at least 1, got 0"),
        (lambda: EncoderBlock(12, 3, 9)(X.long()), "x: expected a floating dtype, got torch.int64"),
        (lambda: DecoderBlock(12, 3, 9)(X[0], MEMORY), r"x: expected shape \(batch, length, 12\), got \(5, 12\)"),
        (lambda: DecoderBlock(12, 3, 9)(X.long(), MEMORY), "x: expected a floating dtype, got torch.int64"),
        (lambda: DecoderBlock(12, 3, 9)(X, MEMORY.long()), "memory: expected a floating dtype, got torch.int64"),
    ],
)
def test_what_does_not_fit_is_refused(call, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        call()


def test_an_eps_of_zero_is_allowed():
    assert LayerNorm(2, eps=0)(torch.tensor([1.0, 3.0])).tolist() == pytest.approx([-1.0, 1.0])
