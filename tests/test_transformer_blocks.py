"""Unit 09 against the layers of ``torch.nn``, and against what each of their parts must not do."""

import pytest
import torch
from torch import nn
from torch.nn import functional as F
from torch.testing import assert_close

from transformer_course.common.torch_names import torch_state_dict
from transformer_course.transformer_blocks import DecoderBlock, EncoderBlock, FeedForward, LayerNorm, layer_norm

# All different, so that no transposed or mistaken dimension goes unseen.
BATCH, LENGTH, SOURCE_LENGTH, D_MODEL, HEADS, D_FF = 2, 5, 7, 12, 3, 17

NORM_ORDERS = pytest.mark.parametrize("norm_first", [False, True])
ACTIVATIONS = pytest.mark.parametrize("activation", ["relu", "gelu"])


@pytest.fixture
def generator() -> torch.Generator:
    return torch.Generator().manual_seed(0)


@pytest.fixture
def draw(generator):
    return lambda *shape: torch.randn(*shape, generator=generator, dtype=torch.float64)


@pytest.fixture
def randomised(generator):
    def randomise(module):
        module.double()
        with torch.no_grad():
            for parameter in module.parameters():
                parameter.copy_(torch.randn(parameter.shape, generator=generator, dtype=torch.float64) * 0.4)
        return module

    return randomise


def silenced(block):
    """Make both linear maps that write to the residual stream say nothing."""
    for module in block.modules():
        for name in ("w_output", "linear_2"):
            if hasattr(module, name):
                nn.init.zeros_(getattr(module, name).weight)
                nn.init.zeros_(getattr(module, name).bias)
    return block


def assert_same_gradients(ours, theirs, our_inputs, their_inputs, output, expected, upstream):
    output.backward(upstream)
    expected.backward(upstream)
    assert_close([x.grad for x in our_inputs], [x.grad for x in their_inputs])
    for parameter in ours.parameters():
        parameter.data = parameter.grad  # to compare gradients under torch's names
    gradients = torch_state_dict(ours)
    assert gradients.keys() == dict(theirs.named_parameters()).keys()
    for name, parameter in theirs.named_parameters():
        assert_close(gradients[name], parameter.grad)


@pytest.mark.parametrize("eps", [1e-5, 1e-3])
@pytest.mark.parametrize("scale", [1.0, 1e-3])  # at 1e-3 the place of eps decides
@pytest.mark.parametrize("shape", [(BATCH, LENGTH, 8), (8,), (0, 8), (3, 1)])
def test_layer_norm_equals_torch_forward_and_backward(draw, shape, scale, eps):
    x, upstream = draw(*shape) * scale, draw(*shape)
    theirs = nn.LayerNorm(shape[-1], eps=eps).double()
    module = LayerNorm(shape[-1], eps).double()
    with torch.no_grad():
        theirs.weight.copy_(draw(shape[-1]))
        theirs.bias.copy_(draw(shape[-1]))
    module.load_state_dict(theirs.state_dict())
    expected_input = x.clone().requires_grad_()
    expected = torch.autograd.grad(theirs(expected_input), (expected_input, theirs.weight, theirs.bias), upstream)
    for compute in (module, lambda x: layer_norm(x, module.weight, module.bias, eps)):
        own_input = x.clone().requires_grad_()
        output = compute(own_input)
        assert_close(output, theirs(x))
        assert_close(torch.autograd.grad(output, (own_input, module.weight, module.bias), upstream), expected)


def test_layer_norm_by_hand():
    # Features 1, 5: mean 3, variance 4 (divided by 2, not by 1), so -1 and 1; then gain 10, 20 and shift 1, 2.
    weight, bias = torch.tensor([10.0, 20.0]), torch.tensor([1.0, 2.0])
    assert layer_norm(torch.tensor([1.0, 5.0]), weight, bias, eps=0.0).tolist() == [-9.0, 22.0]


def test_layer_norm_starts_as_identity_on_normal_features_and_survives_constant_ones():
    module = LayerNorm(6)
    assert module.weight.tolist() == [1.0] * 6
    assert module.bias.tolist() == [0.0] * 6
    x = torch.full((2, 6), 3.0, requires_grad=True)
    output = module(x)
    assert output.abs().max() == 0
    output.square().sum().backward()
    assert x.grad.isfinite().all()


@ACTIVATIONS
def test_feed_forward_equals_its_formula(draw, randomised, activation):
    module = randomised(FeedForward(D_MODEL, D_FF, activation=activation))
    x = draw(BATCH, LENGTH, D_MODEL)
    hidden = x @ module.linear_1.weight.T + module.linear_1.bias
    normal = torch.distributions.Normal(0.0, 1.0)
    hidden = hidden.clamp(min=0) if activation == "relu" else hidden * normal.cdf(hidden)
    assert_close(module(x), hidden @ module.linear_2.weight.T + module.linear_2.bias)
    assert_close(module(x[0, 0]), module(x)[0, 0])


def test_feed_forward_drops_activations(draw):
    # With an identity behind it, the dropout inside shows: 0, or the activation divided by what is kept.
    torch.manual_seed(0)
    module = FeedForward(64, 64, dropout=0.25)
    nn.init.eye_(module.linear_2.weight)
    with torch.no_grad():
        module.linear_1.bias += 10.0  # no activation is zero by itself
    x = draw(200, 64).float()
    kept = module(x) != 0
    assert 0.73 < kept.double().mean() < 0.77  # 12,800 draws: standard deviation 0.004
    dropped = module.train()(x)
    whole = module.eval()(x)
    assert_close(dropped[dropped != 0], (whole / 0.75)[dropped != 0])
    assert torch.equal(whole, module(x))
    # Behind a sum over all activations nothing may be dropped any more.
    nn.init.ones_(module.linear_2.weight)
    summed = module.train()(x)
    assert_close(summed, summed[:, :1].expand_as(summed))


@NORM_ORDERS
@ACTIVATIONS
@pytest.mark.parametrize("masked", [False, True])
def test_encoder_block_equals_torch_forward_and_backward(draw, randomised, norm_first, activation, masked):
    ours = randomised(EncoderBlock(D_MODEL, HEADS, D_FF, 0.0, activation, norm_first))
    theirs = nn.TransformerEncoderLayer(
        D_MODEL, HEADS, D_FF, dropout=0.0, activation=activation, batch_first=True, norm_first=norm_first
    ).double()
    theirs.load_state_dict(torch_state_dict(ours))
    allowed = torch.ones(BATCH, LENGTH, dtype=torch.bool)
    if masked:
        allowed[1, 3:] = False
    x, y = (draw(BATCH, LENGTH, D_MODEL) for _ in range(2))
    y = x.clone().requires_grad_()
    x.requires_grad_()
    output = ours(x, allowed[:, None, None] if masked else None)
    expected = theirs(y, src_key_padding_mask=~allowed if masked else None)
    assert_close(output, expected)
    assert_same_gradients(ours, theirs, [x], [y], output, expected, draw(*x.shape))


@NORM_ORDERS
@ACTIVATIONS
@pytest.mark.parametrize("masked", [False, True])
def test_decoder_block_equals_torch_forward_and_backward(draw, randomised, norm_first, activation, masked):
    ours = randomised(DecoderBlock(D_MODEL, HEADS, D_FF, 0.0, activation, norm_first))
    theirs = nn.TransformerDecoderLayer(
        D_MODEL, HEADS, D_FF, dropout=0.0, activation=activation, batch_first=True, norm_first=norm_first
    ).double()
    theirs.load_state_dict(torch_state_dict(ours))
    inputs = [draw(BATCH, LENGTH, D_MODEL).requires_grad_(), draw(BATCH, SOURCE_LENGTH, D_MODEL).requires_grad_()]
    others = [x.detach().clone().requires_grad_() for x in inputs]
    if masked:
        causal = torch.ones(LENGTH, LENGTH, dtype=torch.bool).tril()
        real = torch.ones(BATCH, SOURCE_LENGTH, dtype=torch.bool)
        real[0, 4:] = False
        output = ours(*inputs, causal, real[:, None, None])
        expected = theirs(*others, tgt_mask=~causal, memory_key_padding_mask=~real)
    else:
        output, expected = ours(*inputs), theirs(*others)
    assert_close(output, expected)
    assert_same_gradients(ours, theirs, inputs, others, output, expected, draw(*output.shape))


@NORM_ORDERS
def test_a_block_whose_sublayers_say_nothing(draw, norm_first):
    # norm_first leaves the residual stream alone; the paper's order normalises it after each of the two sublayers.
    x, memory = draw(BATCH, LENGTH, D_MODEL), draw(BATCH, SOURCE_LENGTH, D_MODEL)
    encoder = silenced(EncoderBlock(D_MODEL, HEADS, D_FF, norm_first=norm_first).double())
    decoder = silenced(DecoderBlock(D_MODEL, HEADS, D_FF, norm_first=norm_first).double())
    twice = F.layer_norm(F.layer_norm(x, (D_MODEL,)), (D_MODEL,))
    assert_close(encoder(x), x if norm_first else twice)
    assert_close(decoder(x, memory), x if norm_first else F.layer_norm(twice, (D_MODEL,)))


@NORM_ORDERS
def test_dropout_scales_what_each_sublayer_adds_in_training_only(draw, norm_first):
    torch.manual_seed(0)
    block = silenced(EncoderBlock(64, 4, D_FF, dropout=0.25, norm_first=True).double())
    nn.init.ones_(block.self_attention.w_output.bias)  # attention adds 1 everywhere, feed-forward nothing
    x = draw(BATCH, 100, 64)
    added = block(x) - x
    assert_close(added[added.abs() > 0.5], torch.full_like(added[added.abs() > 0.5], 1 / 0.75))
    assert 0.74 < (added.abs() > 0.5).double().mean() < 0.76  # 12,800 draws: standard deviation 0.004
    block.eval()
    assert_close(block(x), x + 1)


def test_the_mean_over_dropout_is_the_output_without_it(draw, randomised):
    # The feed-forward network is linear behind its inner dropout, so its mean over many draws is known.
    torch.manual_seed(0)
    module = randomised(FeedForward(D_MODEL, D_FF, dropout=0.5))
    x = draw(1, D_MODEL)
    mean = module(x.expand(40_000, D_MODEL)).mean(dim=0)
    spread = module(x.expand(40_000, D_MODEL)).std(dim=0)
    assert ((mean - module.eval()(x)[0]).abs() < 5 * spread / 200).all()


def test_blocks_ask_for_no_weights_and_use_the_attention_of_the_course(draw):
    block = DecoderBlock(D_MODEL, HEADS, D_FF).double()
    asked = []

    def remember(module, arguments, keywords):
        asked.append((module, keywords["need_weights"]))

    for attention in (block.self_attention, block.cross_attention):
        attention.register_forward_pre_hook(remember, with_kwargs=True)
    block(draw(1, LENGTH, D_MODEL), draw(1, SOURCE_LENGTH, D_MODEL))
    assert asked == [(block.self_attention, False), (block.cross_attention, False)]


def test_the_future_is_hidden_and_the_source_is_seen(draw, randomised):
    block = randomised(DecoderBlock(D_MODEL, HEADS, D_FF))
    x = draw(1, LENGTH, D_MODEL).requires_grad_()
    memory = draw(1, SOURCE_LENGTH, D_MODEL).requires_grad_()
    output = block(x, memory, torch.ones(LENGTH, LENGTH, dtype=torch.bool).tril())
    from_x, from_memory = torch.autograd.grad(output[0, 2].square().sum(), (x, memory))
    assert from_x[0, 3:].abs().max() == 0
    assert (from_x[0, :3].abs().amax(dim=-1) > 0).all()
    assert (from_memory[0].abs().amax(dim=-1) > 0).all()


def test_is_causal_hides_the_future_beside_the_mask(draw, randomised):
    x, memory = draw(BATCH, LENGTH, D_MODEL), draw(BATCH, SOURCE_LENGTH, D_MODEL)
    causal = torch.ones(LENGTH, LENGTH, dtype=torch.bool).tril()
    real = torch.tensor([[1, 1, 0, 1], [1, 0, 1, 1], [1, 1, 1, 0]])[:BATCH, :LENGTH].bool()[:, None, None]
    real = nn.functional.pad(real, (0, LENGTH - real.shape[-1]), value=True)  # (batch, 1, 1, length)
    encoder, decoder = randomised(EncoderBlock(D_MODEL, HEADS, D_FF)), randomised(DecoderBlock(D_MODEL, HEADS, D_FF))
    for mask, whole in ((None, causal), (real, causal & real)):
        assert_close(encoder(x, mask, is_causal=True), encoder(x, whole))
        assert_close(decoder(x, memory, mask, is_causal=True), decoder(x, memory, whole))


@NORM_ORDERS
def test_a_sentence_of_padding_hurts_nobody(draw, norm_first):
    block = DecoderBlock(D_MODEL, HEADS, D_FF, norm_first=norm_first).double()
    x = draw(BATCH, LENGTH, D_MODEL).requires_grad_()
    memory = draw(BATCH, SOURCE_LENGTH, D_MODEL).requires_grad_()
    nothing = torch.ones(BATCH, 1, 1, SOURCE_LENGTH, dtype=torch.bool)
    nothing[1] = False
    output = block(x, memory, nothing[..., :LENGTH], nothing)
    output.sum().backward()
    assert output.isfinite().all()
    assert x.grad.isfinite().all()
    assert memory.grad[1].abs().max() == 0


X, MEMORY = torch.zeros(2, 5, 12), torch.zeros(2, 7, 12)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: LayerNorm(0), "d_model: expected an integer of at least 1, got 0"),
        (lambda: LayerNorm(4, eps=-1.0), "eps: expected a number of at least 0, got -1.0"),
        (lambda: LayerNorm(4)(X), r"x: expected 4 features in the last dimension, got shape \(2, 5, 12\)"),
        (lambda: LayerNorm(12)(X.long()), "x: expected a floating dtype, got torch.int64"),
        (lambda: layer_norm(X, torch.ones(12), torch.ones(11)), r"bias: expected shape \(12,\), got \(11,\)"),
        (lambda: layer_norm(X, torch.ones(11), torch.ones(11)), "x: expected 11 features"),
        (lambda: layer_norm(X, torch.ones(12), torch.ones(12), -2.0), "eps: expected a number of at least 0, got -2.0"),
        (lambda: FeedForward(12, 0), "d_ff: expected an integer of at least 1, got 0"),
        (lambda: FeedForward(12, 9, dropout=1.5), "dropout: expected a number from 0 to 1, got 1.5"),
        (lambda: FeedForward(12, 9, activation="tanh"), "activation: expected 'relu' or .* or 'silu', got 'tanh'"),
        (lambda: FeedForward(11, 9)(X), "x: expected 11 features"),
        (lambda: EncoderBlock(12, 5, 9), "num_heads: expected a divisor of d_model = 12, got 5"),
        (lambda: EncoderBlock(12, 3, 9)(X[0]), r"x: expected shape \(batch, length, 12\), got \(5, 12\)"),
        (lambda: EncoderBlock(12, 3, 9)(X, torch.ones(5, 5)), "mask: expected dtype torch.bool"),
        (
            lambda: DecoderBlock(12, 3, 9)(X, MEMORY[..., :9]),
            r"memory: expected shape \(2, length, 12\), got \(2, 7, 9\)",
        ),
        (lambda: DecoderBlock(12, 3, 9)(X, MEMORY[:1]), r"memory: expected shape \(2, length, 12\), got \(1, 7"),
        (lambda: DecoderBlock(12, 3, 9)(X, MEMORY, X[0] > 0), r"self_mask: .* to \(2, 3, 5, 5\), got \(5, 12\)"),
        (
            lambda: DecoderBlock(12, 3, 9)(X, MEMORY, None, X[0] > 0),
            r"memory_mask: .* to \(2, 3, 5, 7\), got \(5, 12\)",
        ),
    ],
)
def test_errors_name_argument_expected_and_got(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize("size", [1.0, 300.0, 1e4])
def test_layer_norm_of_half_precision_is_torchs(draw, size):
    x, gain, shift = (size * draw(4, 9)).half(), draw(9).half(), draw(9).half()
    found = layer_norm(x, gain, shift)
    assert found.dtype == torch.float16
    assert_close(found, F.layer_norm(x, (9,), gain, shift))
