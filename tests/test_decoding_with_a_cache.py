"""Decoding with a cache against torch's decoder layer, and against ``decode``, which unit 10 holds against torch."""

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from transformer_course.common.tokens import EOS, PAD
from transformer_course.common.torch_names import torch_state_dict
from transformer_course.decoding import (
    CachedDecoder,
    cached_attention,
    can_decode,
    decoder_block_step,
    keys_and_values,
    translate,
)
from transformer_course.multi_head_attention import MultiHeadAttention
from transformer_course.positional_encoding import TransformerEmbedding
from transformer_course.transformer import Transformer
from transformer_course.transformer_blocks import DecoderBlock

D_MODEL, HEADS, LAYERS, LENGTH = 12, 3, 2, 9
# What takes a step does the work of these two with the modules inside them.
PASSED_OVER = (DecoderBlock, MultiHeadAttention)
SOURCE = torch.tensor([[4, 5, 6, 7, 8, EOS, PAD], [9, 10, EOS, PAD, PAD, PAD, PAD]])


def make_model(kind=Transformer, norm_first=False) -> Transformer:
    torch.manual_seed(0)
    model = kind(11, 13, D_MODEL, HEADS, 1, LAYERS, 17, norm_first=norm_first, max_length=LENGTH).double().eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter), alpha=0.3)  # so that gains and biases matter too
    return model


@pytest.fixture
def target() -> torch.Tensor:
    target = torch.randint(3, 13, (2, LENGTH), generator=torch.Generator().manual_seed(0))
    target[1, 4] = PAD  # what no trained model writes, but a finished sentence reads
    return target


@pytest.mark.parametrize("source", [SOURCE, SOURCE[:, :2]], ids=["padded", "not padded"])
@pytest.mark.parametrize("norm_first", [False, True])
@pytest.mark.parametrize("activation", ["relu", "gelu"])
def test_each_step_gives_the_last_row_of_decode(norm_first, source, activation, target):
    model = make_model(norm_first=norm_first)
    for block in model.decoder_blocks:
        block.feed_forward.activation = activation
    expected = model(source, target)
    decoder = CachedDecoder(model)
    state = decoder.start_decoding(source)
    cross = state["cross"]
    for position in range(LENGTH):
        logits, state = decoder.decode_step(target[:, position], state)
        assert_close(logits, expected[:, position])
        for key, value in state["self"]:
            assert key.shape == value.shape == (2, HEADS, position + 1, D_MODEL // HEADS)
        assert state["cross"] is cross  # projected once


@pytest.mark.parametrize("gradient", [True, False])
def test_hypotheses_that_share_a_beginning_do_not_disturb_each_other(target, gradient):
    with torch.set_grad_enabled(gradient):
        check_that_states_are_independent(target)


def check_that_states_are_independent(target):
    model = make_model()
    decoder = CachedDecoder(model)
    _, beginning = decoder.decode_step(target[:, 0], decoder.start_decoding(SOURCE))
    first, after_first = decoder.decode_step(target[:, 1], beginning)
    second, _ = decoder.decode_step(target[:, 2], after_first)
    decoder.decode_step(target[:, 2], beginning)
    assert torch.equal(second, decoder.decode_step(target[:, 2], after_first)[0])
    assert torch.equal(first, decoder.decode_step(target[:, 1], beginning)[0])
    turned = {
        "target": beginning["target"].flip(0),
        "self": [(key.flip(0), value.flip(0)) for key, value in beginning["self"]],
        "cross": [(key.flip(0), value.flip(0)) for key, value in beginning["cross"]],
        "memory_mask": beginning["memory_mask"].flip(0),
    }
    assert_close(decoder.decode_step(target[:, 1].flip(0), turned)[0].flip(0), first)


def test_its_attention_is_cached_attention():
    model = make_model(norm_first=True)
    block = model.decoder_blocks[0]
    inputs = []
    block.self_attention.register_forward_pre_hook(lambda module, arguments: inputs.append(arguments[0]))
    model(SOURCE, torch.tensor([[1, 5, 6], [1, 7, 8]]))
    cache = None
    for position in range(3):
        _, cache = cached_attention(block.self_attention, inputs[0][:, position : position + 1], cache)
    block.self_attention._forward_pre_hooks.clear()
    decoder = CachedDecoder(model)
    state = decoder.start_decoding(SOURCE)
    for tokens in ([1, 1], [5, 7], [6, 8]):
        _, state = decoder.decode_step(torch.tensor(tokens), state)
    assert_close(state["self"][0], cache)


@pytest.mark.parametrize("norm_first", [False, True])
def test_a_block_takes_the_steps_of_the_decoder_layer_of_torch(norm_first):
    torch.manual_seed(0)
    block = DecoderBlock(D_MODEL, HEADS, 17, norm_first=norm_first).double()
    theirs = nn.TransformerDecoderLayer(D_MODEL, HEADS, 17, 0.0, batch_first=True, norm_first=norm_first).double()
    theirs.load_state_dict(torch_state_dict(block))
    x, memory = torch.randn(2, 5, D_MODEL).double(), torch.randn(2, 7, D_MODEL).double()
    padding = torch.arange(7) >= torch.tensor([[7], [4]])  # (batch, source_length)
    future = torch.ones(5, 5, dtype=torch.bool).triu(1)
    expected = theirs(x, memory, tgt_mask=future, memory_key_padding_mask=padding)
    cache, cross = None, keys_and_values(block.cross_attention, memory)
    for position in range(5):
        new = x[:, position : position + 1]
        output, cache = decoder_block_step(block, new, cache, cross, memory_mask=~padding[:, None, None])
        assert_close(output, expected[:, position : position + 1])


def test_with_and_without_a_cache_the_same_modules_compute(monkeypatch):
    model = make_model()
    names = {module: name for name, module in model.named_modules()}
    called, call = set(), nn.Module.__call__

    def note(module, *arguments, **keywords):
        called.add(names[module])
        return call(module, *arguments, **keywords)

    monkeypatch.setattr(nn.Module, "__call__", note)
    seen = []
    for use_cache in (True, False):
        called.clear()
        translate(model, SOURCE, 5, use_cache=use_cache)
        seen.append({name for name in called if not isinstance(model.get_submodule(name), PASSED_OVER)})
    assert seen[0] == seen[1]
    assert "decoder_blocks.1.cross_attention.w_key" in seen[0]


class Louder(Transformer):
    def decode(self, target, memory, source):
        return -super().decode(target, memory, source)


class OtherAttention(MultiHeadAttention):
    pass


def replace_attention(model):
    model.decoder_blocks[1].cross_attention = OtherAttention(D_MODEL, HEADS).double()


def replace_attention_by_a_stranger(model):
    class Stranger(nn.Module):
        d_model, num_heads = D_MODEL, HEADS

        def forward(self, query, key, value, mask=None, need_weights=True, is_causal=False):
            return torch.zeros_like(query), None

    model.decoder_blocks[0].self_attention = Stranger()


def replace_embedding(model):
    class NoPositions(TransformerEmbedding):
        def forward(self, tokens, start=0):
            return self.token(tokens)

    model.target_embedding = NoPositions(13, D_MODEL).double()


def look_at_tokens(model):
    model.target_embedding.token.register_forward_hook(lambda module, arguments, output: None)


def look_inside(model):
    model.decoder_blocks[1].self_attention.register_forward_hook(lambda module, arguments, output: None)


def look_before(model):
    model.decoder_blocks[0].feed_forward.linear_1.register_forward_pre_hook(lambda module, arguments: None)


@pytest.mark.parametrize("change", [replace_attention, replace_attention_by_a_stranger, look_inside])
def test_what_is_changed_or_watched_is_decoded_by_its_own_modules(change):
    model = make_model()
    assert can_decode(model)
    change(model)
    assert not can_decode(model)
    with pytest.raises(ValueError, match="model: expected an unchanged Transformer"):
        CachedDecoder(model)
    assert torch.equal(translate(model, SOURCE, 5), translate(model, SOURCE, 5, use_cache=False))


@pytest.mark.parametrize("change", [replace_embedding, look_at_tokens, look_before])
def test_what_is_called_for_each_position_may_be_changed_and_watched(change):
    model = make_model()
    change(model)
    assert can_decode(model)
    assert torch.equal(translate(model, SOURCE, 5), translate(model, SOURCE, 5, use_cache=False))


def test_hooks_see_every_step():
    model = make_model()
    lengths = []
    model.decoder_blocks[0].self_attention.register_forward_hook(
        lambda module, arguments, output: lengths.append(output[0].shape[1])
    )
    written = translate(model, SOURCE, 5)
    assert lengths == list(range(1, written.shape[1] + 1))


def test_a_changed_decode_is_respected():
    louder = make_model(Louder)
    assert not can_decode(louder)
    assert not can_decode(torch.nn.Linear(2, 2))
    source = SOURCE[:1]
    first = louder(source, torch.tensor([[1]]))[0, -1].argmax()
    assert translate(louder, source, 1).item() == first


def test_errors_name_argument_expected_and_got(target):
    decoder = CachedDecoder(make_model())
    state = decoder.start_decoding(SOURCE)
    with pytest.raises(ValueError, match=r"tokens: expected shape \(2,\), got \(1,\)"):
        decoder.decode_step(target[:1, 0], state)
    for position in range(LENGTH):
        _, state = decoder.decode_step(target[:, position], state)
    with pytest.raises(ValueError, match="below max_length = 9, got 9 to 9"):
        decoder.decode_step(target[:, 0], state)
