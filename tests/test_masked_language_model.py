"""Unit 14 against torch's own layers with the same weights, against counts, and against sums worked by hand."""

import math
from contextlib import nullcontext

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from transformer_course.common.tokens import BOS, EOS, PAD, UNK
from transformer_course.common.torch_names import torch_names
from transformer_course.masked_language_model import (
    NOT_ASKED,
    MaskedLanguageModel,
    SentenceClassifier,
    corrupt,
    mask_tokens,
    mean_pool,
    pseudo_log_likelihood,
)

MASK, VOCAB = 4, 12


@pytest.fixture
def generator():
    return torch.Generator().manual_seed(0)


@pytest.fixture
def model():
    torch.manual_seed(0)
    made = MaskedLanguageModel(VOCAB, d_model=6, num_heads=2, num_layers=3, d_ff=10, max_length=9).double().eval()
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))  # biases begin at 0, which would hide that they are lost
    return made


def test_the_shares_are_those_of_the_paper(generator):
    tokens = torch.randint(5, 1000, (400, 500), generator=generator)
    inputs, labels = mask_tokens(tokens, MASK, 1000, generator=generator)
    chosen = labels != NOT_ASKED
    assert_close(labels[chosen], tokens[chosen])
    assert_close(inputs[~chosen], tokens[~chosen])
    hidden, kept = inputs[chosen] == MASK, inputs[chosen] == tokens[chosen]
    shares = [x.double().mean().item() for x in (chosen, hidden, kept, ~hidden & ~kept)]
    # 30,000 chosen tokens: a share of .1 is off by .002 once in three times
    assert shares == pytest.approx([0.15, 0.8, 0.1, 0.1], abs=0.008)


def test_special_tokens_are_neither_chosen_nor_drawn(generator):
    tokens = torch.tensor([[BOS, 5, EOS, PAD, UNK, MASK, 6]]).repeat(5000, 1)
    inputs, labels = mask_tokens(tokens, MASK, 7, probability=1.0, generator=generator)
    ordinary = torch.tensor([1, 6])
    assert (labels[:, ordinary] == tokens[:, ordinary]).all()
    rest = torch.tensor([0, 2, 3, 4, 5])
    assert (labels[:, rest] == NOT_ASKED).all()
    assert_close(inputs[:, rest], tokens[:, rest])
    assert set(inputs[:, ordinary].flatten().tolist()) == {MASK, 5, 6}


def test_every_ordinary_token_is_drawn_equally_often(generator):
    tokens = torch.full((200, 200), 5)
    inputs, _ = corrupt(tokens, torch.ones_like(tokens).bool(), 9, 11, (0.0, 1.0), (0, 7), generator)
    counts = torch.bincount(inputs.flatten(), minlength=11) / 40_000
    expected = torch.tensor([0, *[1 / 8] * 6, 0, 1 / 8, 0, 1 / 8])
    assert (counts - expected).abs().max() < 0.01  # off by .0017 once in three times


def test_nothing_chosen_and_nothing_there(generator):
    tokens = torch.tensor([[5, 6, PAD]])
    inputs, labels = mask_tokens(tokens, MASK, 9, probability=0.0, generator=generator)
    assert torch.equal(inputs, tokens)
    assert (labels == NOT_ASKED).all()
    assert mask_tokens(torch.zeros(2, 0, dtype=torch.long), MASK, 9)[0].shape == (2, 0)


def test_the_same_generator_gives_the_same_question():
    tokens = torch.arange(5, 45).view(4, 10)
    made = [mask_tokens(tokens, MASK, 50, generator=torch.Generator().manual_seed(3))[0] for _ in range(2)]
    assert torch.equal(*made)
    assert torch.equal(tokens, torch.arange(5, 45).view(4, 10))


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"tokens": torch.tensor([5])}, "tokens"),
        ({"tokens": torch.tensor([[5.0]])}, "tokens"),
        ({"probability": 1.5}, "probability"),
        ({"mask_id": 12}, "mask_id"),
        ({"special_ids": range(12)}, "special_ids"),
    ],
)
def test_mask_tokens_refuses(change, name):
    with pytest.raises(ValueError, match=name):
        mask_tokens(**{"tokens": torch.tensor([[5]]), "mask_id": MASK, "vocab_size": VOCAB, **change})


@pytest.mark.parametrize(
    ("chosen", "shares", "message"),
    [
        (torch.tensor([True, False]), (0.8, 0.1), r"chosen: expected shape \(1, 2\), got \(2,\)"),
        (torch.tensor([[1, 0]]), (0.8, 0.1), "chosen: expected dtype torch.bool"),
        (torch.tensor([[True, False]]), (0.8, 0.3), r"shares\[0\] \+ shares\[1\]: expected a share from 0 to 1"),
        (torch.tensor([[True, False]]), (0.8, -0.1), "shares: expected a number of at least 0, got -0.1"),
    ],
)
def test_corrupt_refuses(chosen, shares, message):
    with pytest.raises(ValueError, match=message):
        corrupt(torch.tensor([[5, 6]]), chosen, MASK, VOCAB, shares)


def by_torch(model, tokens):
    """Run torch's encoder layers with the weights of the model."""
    x = model.token.weight[tokens] + model.position.weight[: tokens.shape[1]]
    for block in model.blocks:
        layer = nn.TransformerEncoderLayer(6, 2, 10, 0.0, "gelu", batch_first=True, norm_first=True).double()
        layer.load_state_dict(torch_names(dict(block.named_parameters())))
        x = layer(x, src_key_padding_mask=tokens == PAD)
    x = nn.functional.layer_norm(x, (6,), model.norm.weight, model.norm.bias)
    return nn.functional.linear(x, model.token.weight)


def test_the_model_is_torchs_encoder_with_tied_words(model):
    tokens = torch.tensor([[5, 6, 7, 8, 9], [10, 4, PAD, PAD, PAD]])
    found, expected = model(tokens), by_torch(model, tokens)
    real = tokens != PAD
    assert_close(found[real], expected[real])


def test_names_and_number_of_parameters():
    model = MaskedLanguageModel(VOCAB, d_model=6, num_heads=2, num_layers=2, d_ff=10, max_length=9)
    names = dict(model.named_parameters())
    assert {name.split(".")[0] for name in names} == {"token", "position", "blocks", "norm"}
    assert names["token.weight"].shape == (VOCAB, 6)
    assert names["position.weight"].shape == (9, 6)
    assert MaskedLanguageModel(VOCAB, 6, 2, 0, 10)(torch.tensor([[5, 6]])).shape == (1, 2, VOCAB)


def test_each_word_sees_both_sides_and_no_padding(model):
    tokens = torch.tensor([[5, 6, 7, 8]])
    before = model(tokens)
    for place in range(4):
        other = tokens.clone()
        other[0, place] = 9
        assert ((model(other) - before).abs().amax(dim=-1) > 1e-6).all()
    padded = torch.tensor([[5, 6, 7, 8, PAD, PAD]])
    assert_close(model(padded)[:, :4], before)


def test_another_pad_id():
    torch.manual_seed(0)
    model = MaskedLanguageModel(VOCAB, 6, 2, 1, 10, pad_id=7).eval()
    assert_close(model(torch.tensor([[5, 0, 7]]))[:, :2], model(torch.tensor([[5, 0]])))


def test_dropout_in_training_alone():
    torch.manual_seed(0)
    model = MaskedLanguageModel(VOCAB, 6, 2, 1, 10, dropout=0.5)
    tokens = torch.tensor([[5, 6, 7]])
    assert not torch.equal(model(tokens), model(tokens))
    assert torch.equal(model.eval()(tokens), model(tokens))


def test_the_model_refuses(model):
    with pytest.raises(ValueError, match="max_length = 9"):
        model(torch.zeros(1, 10, dtype=torch.long))
    with pytest.raises(ValueError, match="tokens"):
        model(torch.zeros(3, dtype=torch.long))
    with pytest.raises(ValueError, match="num_layers"):
        MaskedLanguageModel(VOCAB, 6, 2, -1)


def test_mean_pool_by_hand(generator):
    hidden = torch.randn(3, 4, 5, generator=generator, dtype=torch.float64)
    mask = torch.tensor([[True, True, False, False], [False, True, False, True], [False] * 4])
    expected = torch.stack([(hidden[0, 0] + hidden[0, 1]) / 2, (hidden[1, 1] + hidden[1, 3]) / 2, torch.zeros(5)])
    assert_close(mean_pool(hidden, mask), expected)
    hidden[~mask] = math.nan
    assert_close(mean_pool(hidden, mask), expected)
    with pytest.raises(ValueError, match="mask"):
        mean_pool(hidden, mask.double())
    with pytest.raises(ValueError, match="mask"):
        mean_pool(hidden, mask[:, :1])


def test_the_classifier_ignores_padding_and_pools(model):
    torch.manual_seed(1)
    classifier = SentenceClassifier(model, 6, 3).double()
    logits = classifier(torch.tensor([[5, 6, 7, PAD, PAD], [8, 9, 5, 6, 7]]))
    assert logits.shape == (2, 3)
    alone = model.encode(torch.tensor([[5, 6, 7]]))[0].mean(dim=0)
    assert_close(logits[0], alone @ classifier.head.weight.T + classifier.head.bias)
    assert {name for name, _ in classifier.named_parameters()} >= {"head.weight", "head.bias", "encoder.token.weight"}


def test_pseudo_log_likelihood_one_word_at_a_time(model):
    sentences = [[5, 6, 7, 8], [9, 10]]
    expected = []
    for sentence in sentences:
        total = 0.0
        for place, word in enumerate(sentence):
            hidden = [*sentence[:place], MASK, *sentence[place + 1 :]]
            total += model(torch.tensor([hidden]))[0, place].log_softmax(dim=-1)[word].item()
        expected.append(total)
    tokens = torch.tensor([[5, 6, 7, 8], [9, 10, PAD, PAD]])
    model.train()
    found = pseudo_log_likelihood(model, tokens, MASK)
    assert found.tolist() == pytest.approx(expected)
    assert model.training
    assert not found.requires_grad
    assert tokens.tolist() == [[5, 6, 7, 8], [9, 10, PAD, PAD]]
    assert pseudo_log_likelihood(model, torch.full((1, 2), PAD), MASK).tolist() == [0.0]
    assert pseudo_log_likelihood(model, torch.zeros(2, 0, dtype=torch.long), MASK).tolist() == [0.0, 0.0]


def test_a_model_of_independent_words_has_the_log_likelihood_itself():
    logits = torch.tensor([0.0, 0, 0, 0, 0, 1, 2, 3])

    class Unigram(nn.Module):
        def forward(self, tokens):
            return logits.expand(*tokens.shape, 8)

    found = pseudo_log_likelihood(Unigram(), torch.tensor([[5, 7, 6]]), MASK)
    assert_close(found, logits.log_softmax(dim=-1)[torch.tensor([5, 6, 7])].sum().view(1))


@pytest.mark.parametrize("tokens", [torch.tensor([[5, 6]]), torch.tensor([[5, VOCAB]])], ids=["right", "an error"])
def test_every_part_comes_back_in_its_mode(model, tokens):
    model.train()
    model.blocks[1].eval()  # frozen, as in fine-tuning
    modes = [part.training for part in model.modules()]
    with pytest.raises(IndexError) if VOCAB in tokens else nullcontext():
        pseudo_log_likelihood(model, tokens, MASK)
    assert [part.training for part in model.modules()] == modes


def test_a_mask_that_is_padding_is_refused():
    with pytest.raises(ValueError, match="mask_id: expected another token than padding, 0"):
        pseudo_log_likelihood(lambda tokens: torch.zeros(*tokens.shape, VOCAB), torch.tensor([[5]]), PAD)
