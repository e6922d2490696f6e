"""Unit 11: in which way `translate` decodes a model, what it shows it, and what holds where nothing is said."""

import inspect

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from transformer_course.common.tokens import BOS, EOS, PAD
from transformer_course.decoding import can_decode, translate
from transformer_course.multi_head_attention import MultiHeadAttention
from transformer_course.transformer import Transformer
from transformer_course.transformer_blocks import DecoderBlock

SOURCE = torch.tensor([[5, 6, EOS], [7, EOS, PAD]])


class Says(nn.Module):
    """Writes 8 and then EOS, whatever it reads, by `encode` and `decode`; keeps what it was shown."""

    def __init__(self):
        super().__init__()
        self.shown = []

    def encode(self, source):
        self.shown.append(source.tolist())
        return source

    def decode(self, target, memory, source):
        word = torch.where(target == BOS, 8, EOS)
        return F.one_hot(word, 9).double() * 50


class StartsOnly(Says):
    def start_decoding(self, source):
        raise AssertionError("there is no decode_step to go on with")


class StepsOnly(Says):
    def decode_step(self, tokens, state):
        raise AssertionError("there is no start_decoding to begin with")


@pytest.mark.parametrize("model", [Says, StartsOnly, StepsOnly])
@pytest.mark.parametrize("beam_width", [1, 2])
def test_a_model_that_lacks_one_of_the_two_steps_is_decoded_without_them(model, beam_width):
    assert translate(model(), SOURCE, 5, beam_width).tolist() == [[8, EOS]] * 2


def test_beam_search_shows_each_sentence_without_its_padding():
    model = Says()
    translate(model, SOURCE, 5, beam_width=2)
    assert model.shown == [[[5, 6, EOS]], [[7, EOS]]]


def test_a_sentence_of_padding_alone_is_shown_as_it_is():
    model = Says()
    translate(model, torch.tensor([[PAD, PAD]]), 5, beam_width=2)
    assert model.shown == [[[PAD, PAD]]]


def test_a_model_with_a_block_or_an_attention_of_its_own_is_not_passed_over():
    class Block(DecoderBlock):
        pass

    class Attention(MultiHeadAttention):
        pass

    def model():
        return Transformer(9, 9, 8, 2, num_encoder_layers=1, num_decoder_layers=2, d_ff=8)

    assert can_decode(model())
    changed = model()
    changed.decoder_blocks[1] = Block(8, 2, 8)
    assert not can_decode(changed)
    for name in ("self_attention", "cross_attention"):
        changed = model()
        setattr(changed.decoder_blocks[0], name, Attention(8, 2))
        assert not can_decode(changed)
    changed = model()
    changed.target_embedding = nn.Embedding(9, 8)  # which knows no start
    assert not can_decode(changed)
    for name in ("", "decoder_blocks.1", "decoder_blocks.0.cross_attention"):
        changed = model()
        setattr(changed.get_submodule(name), "forward" if name else "decode", lambda *arguments: None)
        assert not can_decode(changed)
    for watch in ("register_forward_hook", "register_forward_pre_hook"):
        changed = model()
        getattr(changed.decoder_blocks[1].self_attention, watch)(lambda *arguments: None)
        assert not can_decode(changed)
    assert not can_decode(nn.Linear(2, 2))


def test_where_nothing_is_said_the_penalty_is_that_of_the_paper_and_the_search_is_greedy():
    said = {name: each.default for name, each in inspect.signature(translate).parameters.items()}
    assert said["alpha"] == 0.6  # Vaswani et al. (2017), section 6.1
    assert said["beam_width"] == 1
    assert said["use_cache"]
