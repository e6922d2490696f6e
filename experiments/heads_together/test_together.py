"""Several heads changed at the same time."""

import pytest
import torch

from experiments.heads_together.together import patching_together, silencing_layers
from experiments.inside_seeds import head_study
from transformer_course.common.tokens import Vocabulary
from transformer_course.data.corpus import load_corpus
from transformer_course.transformer import Transformer


@pytest.fixture(scope="module")
def small():
    pairs = [pair for pair in load_corpus(num_train=400, num_test=40).train if len(pair.source) <= 6]
    english = Vocabulary.from_sentences(pair.source for pair in pairs)
    french = Vocabulary.from_sentences(pair.target for pair in pairs)
    torch.manual_seed(0)
    model = Transformer(len(english), len(french), 12, 3, 1, 2, 16, dropout=0.0, norm_first=True).eval()
    return model, pairs, english, french


def test_a_silent_layer_adds_its_bias(small):
    model, pairs, english, french = small
    sentences = head_study.in_batches(pairs[:30], english, french)
    complete = head_study.nats_per_token(model, sentences)
    rises = silencing_layers(model, "cross", sentences)
    for layer, rise in enumerate(rises.tolist()):
        weight = model.decoder_blocks[layer].cross_attention.w_output.weight
        saved = weight.detach().clone()
        with torch.no_grad():
            weight.zero_()
            without = head_study.nats_per_token(model, sentences)
            weight.copy_(saved)
        assert rise == pytest.approx(without - complete, abs=1e-6)
    assert head_study.nats_per_token(model, sentences) == complete


def test_all_of_cross_attention_carries_all_of_the_news(small):
    model, pairs, english, french = small
    examples = head_study.minimal_pairs(pairs, 3)
    shares = patching_together(model, "cross", examples, english, french)
    torch.testing.assert_close(shares, torch.ones(len(examples)), atol=1e-3, rtol=0)
    encoder = patching_together(model, "encoder", examples, english, french)
    assert ((encoder - 1).abs() > 1e-3).all()  # the word itself passes the heads by
