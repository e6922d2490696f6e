"""The oracle of exercise 09 against torch's layers, its list of mistakes, and its checks of dropout under any seed."""

import pytest
import torch
from exercise_harness import Exercise
from torch import nn

from transformer_course.checks.block_dropout import require_block_dropout, require_feed_forward_dropout
from transformer_course.checks.block_experiments import at_the_start, torch_stack
from transformer_course.checks.block_mistakes import decoder_mistakes, encoder_mistakes
from transformer_course.checks.norm_mistakes import feed_forward_mistakes, layer_norm_mistakes
from transformer_course.checks.oracles_blocks import (
    right_decoder,
    right_encoder,
    right_feed_forward,
    right_gradients,
    right_layer_norm,
)
from transformer_course.checks.reporting import CheckFailed, draw, same

D_MODEL, HEADS, D_FF = 12, 3, 17
X, MEMORY = draw(2, 5, D_MODEL, seed=1, dtype=torch.float64), draw(2, 7, D_MODEL, seed=2, dtype=torch.float64)
SEEN, SOURCE_SEEN = torch.ones(2, 5, dtype=torch.bool), torch.ones(2, 7, dtype=torch.bool)
SEEN[1, 3:] = SOURCE_SEEN[0, 4:] = False
NORM_ORDERS = pytest.mark.parametrize("norm_first", [False, True])
ACTIVATIONS = pytest.mark.parametrize("activation", ["relu", "gelu"])


def torch_layer(kind, norm_first, activation):
    options = {"dropout": 0.0, "batch_first": True, "norm_first": norm_first, "activation": activation}
    layer = kind(D_MODEL, HEADS, D_FF, **options).double()
    with torch.no_grad():
        for number, parameter in enumerate(layer.parameters()):
            parameter.copy_(0.4 * draw(*parameter.shape, seed=number, dtype=torch.float64))
    return layer


def our_names(layer):
    """Give the weights of torch's layer the names of the task."""
    ours = {}
    for name, tensor in layer.state_dict().items():
        name = name.replace("self_attn", "self_attention").replace("multihead_attn", "cross_attention")
        name = name.replace("linear", "feed_forward.linear_").replace("norm", "norm_").replace("out_proj", "w_output")
        if "in_proj_" in name:
            owner, kind = name.split(".in_proj_")
            ours |= zip(
                (f"{owner}.w_{each}.{kind}" for each in ("query", "key", "value")), tensor.chunk(3), strict=True
            )
        else:
            ours[name] = tensor
    return ours


@pytest.fixture(scope="module")
def solved():
    """Define what the solved notebook defines."""
    return Exercise("09_transformer_blocks").namespace()


@NORM_ORDERS
@ACTIVATIONS
def test_the_oracle_of_the_encoder_is_torchs_layer(norm_first, activation):
    layer = torch_layer(nn.TransformerEncoderLayer, norm_first, activation)
    result = right_encoder(our_names(layer), HEADS, X, SEEN[:, None, None], norm_first, activation)
    torch.testing.assert_close(result, layer(X, src_key_padding_mask=~SEEN))


@NORM_ORDERS
@ACTIVATIONS
def test_the_oracle_of_the_decoder_is_torchs_layer(norm_first, activation):
    layer = torch_layer(nn.TransformerDecoderLayer, norm_first, activation)
    causal = torch.ones(5, 5, dtype=torch.bool).tril()
    expected = layer(X, MEMORY, tgt_mask=~causal, memory_key_padding_mask=~SOURCE_SEEN)
    masks = causal, SOURCE_SEEN[:, None, None]
    result = right_decoder(our_names(layer), HEADS, X, MEMORY, *masks, norm_first, activation)
    torch.testing.assert_close(result, expected)


@NORM_ORDERS
def test_no_known_mistake_is_right(norm_first):
    encoder = our_names(torch_layer(nn.TransformerEncoderLayer, norm_first, "relu"))
    decoder = our_names(torch_layer(nn.TransformerDecoderLayer, norm_first, "relu"))
    mask, memory_mask = SEEN[:, None, None], SOURCE_SEEN[:, None, None]
    for masks in ((None, None), (mask, memory_mask)):
        right = right_encoder(encoder, HEADS, X, masks[0], norm_first)
        mistakes = encoder_mistakes(encoder, HEADS, X, masks[0], norm_first, "relu")
        assert [each.cause for each in mistakes if same(each.shows, right)] == []
        right = right_decoder(decoder, HEADS, X, MEMORY, *masks, norm_first)
        mistakes = decoder_mistakes(decoder, HEADS, X, MEMORY, *masks, norm_first, "relu")
        assert [each.cause for each in mistakes if same(each.shows, right)] == []


def test_no_known_mistake_with_the_parts_is_right(solved):
    weight, bias = draw(D_MODEL, seed=3).double(), draw(D_MODEL, seed=4).double()
    right = right_layer_norm(X, weight, bias, 0.5)
    assert not any(same(each.shows, right) for each in layer_norm_mistakes(X, weight, bias, 0.5))
    weights = {name: each.double() for name, each in solved["FeedForward"](D_MODEL, D_FF).state_dict().items()}
    for activation in ("relu", "gelu"):
        right = right_feed_forward(weights, X, activation)
        assert not any(same(each.shows, right) for each in feed_forward_mistakes(weights, X, activation))


def test_gradients_of_two_maps_worked_by_hand():
    # y = 3 * (2 * x) with x = 5: dy/d(first) = 3 * 5, dy/d(second) = 2 * 5; upstream is 4. A bias gets 3 * 4 and 4.
    first, second = nn.Linear(1, 1), nn.Linear(1, 1)
    for layer, weight in ((first, 2.0), (second, 3.0)):
        nn.init.constant_(layer.weight, weight)
        nn.init.zeros_(layer.bias)
    lengths = right_gradients([first, second], torch.tensor([[5.0]]), torch.tensor([[4.0]]))
    assert lengths == pytest.approx([(60**2 + 12**2) ** 0.5, (40**2 + 4**2) ** 0.5])
    assert first.weight.grad is None


def test_a_stack_leaves_torchs_generator_alone():
    before = torch.get_rng_state()
    one, other = (torch_stack(2, False, seed=5) for _ in range(2))
    assert torch.equal(torch.get_rng_state(), before)
    assert torch.equal(one[1].linear1.weight, other[1].linear1.weight)


def test_what_is_to_be_predicted_does_not_hang_on_the_seed():
    for seeds in (range(3), range(10, 13)):
        (size, pre), (deep_size, deep_pre) = (at_the_start(depth, True, seeds) for depth in (4, 24))
        post, deep_post = (at_the_start(depth, False, seeds)[1] for depth in (4, 24))
        assert deep_size > 2 * size
        assert deep_pre < pre / 2
        assert 0.75 < deep_post / post < 1.3


@pytest.mark.parametrize("seed", range(3))
def test_dropout_passes_with_any_seed(seed, solved):
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        require_feed_forward_dropout(solved["FeedForward"], 0.25)
        require_block_dropout(solved["EncoderBlock"], "EncoderBlock", 0.25)
        require_block_dropout(solved["DecoderBlock"], "DecoderBlock", 0.4)


def test_another_dropout_does_not_pass(solved):
    def more(d_model, d_ff, dropout, activation):
        return solved["FeedForward"](d_model, d_ff, dropout / 2, activation)

    with pytest.raises(CheckFailed, match="another probability"):
        require_feed_forward_dropout(more, 0.4)
