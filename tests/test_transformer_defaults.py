"""Unit 10: the paper's sizes where nothing is said, the first weights of the output layer, the length of an update."""

import inspect
import math

import pytest
import torch

from transformer_course.common.tokens import BOS, EOS
from transformer_course.transformer import Transformer, train_step


def test_the_sizes_are_those_of_the_papers_base_model():
    said = {name: each.default for name, each in inspect.signature(Transformer).parameters.items()}
    sizes = {"d_model": 512, "num_heads": 8, "num_encoder_layers": 6, "num_decoder_layers": 6, "d_ff": 2048}
    assert {name: said[name] for name in sizes} == sizes  # Vaswani et al. (2017), table 3, "base"
    assert said["dropout"] == 0.1
    assert not said["norm_first"]
    assert said["max_length"] == 512


def test_the_output_layer_begins_xavier_uniform_and_without_shifts():
    torch.manual_seed(0)
    layer = Transformer(5, 70, d_model=30, num_heads=3, num_encoder_layers=0, num_decoder_layers=0).output_layer
    bound = math.sqrt(6 / (30 + 70))
    assert layer.weight.abs().max() <= bound
    assert layer.weight.std().item() == pytest.approx(bound / math.sqrt(3), rel=0.05)
    assert (layer.bias == 0).all()


@pytest.mark.parametrize(("how", "longest"), [({}, 1.0), ({"max_grad_norm": 0.5}, 0.5)])
def test_an_update_is_no_longer_than_the_longest_gradient(how, longest):
    torch.manual_seed(0)
    model = Transformer(9, 9, d_model=8, num_heads=2, num_encoder_layers=1, num_decoder_layers=1, d_ff=8, dropout=0.0)
    with torch.no_grad():
        model.output_layer.weight.mul_(50)  # so that the gradient is longer
    before = [parameter.detach().clone() for parameter in model.parameters()]
    tokens = torch.tensor([[BOS, 5, 6, 7, EOS]])
    train_step(model, tokens, tokens, torch.optim.SGD(model.parameters(), lr=1.0), **how)
    moved = torch.cat([(new - old).flatten() for new, old in zip(model.parameters(), before, strict=True)])
    assert moved.norm().item() == pytest.approx(longest, rel=1e-4)
