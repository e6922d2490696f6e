"""Unit 14: a model where nothing is said, the weights with which it begins, short sentences, and what is refused."""

import pytest
import torch

from transformer_course.masked_language_model import (
    MaskedLanguageModel,
    SentenceClassifier,
    mask_tokens,
    mean_pool,
    pseudo_log_likelihood,
)

TOKENS, HIDDEN, REAL = torch.tensor([[5, 6, 7]]), torch.ones(1, 3, 2), torch.ones(1, 3, dtype=torch.bool)


def test_where_nothing_is_said_the_model_has_the_sizes_of_its_docstring():
    model = MaskedLanguageModel(11)
    assert [len(model.blocks), model.d_model, model.max_length, model.pad_id] == [2, 128, 128, 0]
    block = model.blocks[0]
    assert block.self_attention.num_heads == 4
    assert block.feed_forward.linear_1.out_features == 512
    assert model.dropout.p == block.dropout.p == 0.0
    assert block.norm_first
    assert block.feed_forward.activation == "gelu"


@pytest.mark.parametrize("d_model", [16, 100])
def test_tables_begin_with_a_variance_of_one_over_the_width(d_model):
    torch.manual_seed(0)
    model = MaskedLanguageModel(500, d_model, max_length=400)
    for table in (model.token, model.position):
        assert table.weight.std().item() == pytest.approx(d_model**-0.5, rel=0.05)
        assert table.weight.mean().item() == pytest.approx(0, abs=0.01)


def test_the_mean_of_one_word_is_the_word():
    mask = torch.tensor([[False, True, False], [False, False, False]])
    hidden = torch.arange(12.0).view(2, 3, 2)
    assert mean_pool(hidden, mask).tolist() == [[2.0, 3.0], [0.0, 0.0]]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: MaskedLanguageModel(5, d_model=-4), "d_model: expected an integer of at least 1, got -4"),
        (lambda: MaskedLanguageModel(0), "vocab_size: expected an integer of at least 1, got 0"),
        (lambda: MaskedLanguageModel(5, max_length=0), "max_length: expected an integer of at least 1, got 0"),
        (lambda: MaskedLanguageModel(5, num_layers=-1), "num_layers: expected an integer of at least 0, got -1"),
        (lambda: MaskedLanguageModel(9, 8, 2, max_length=2)(TOKENS), "tokens: expected at most max_length = 2 tokens"),
        (lambda: MaskedLanguageModel(9, 8, 2)(TOKENS[0]), r"tokens: expected shape \(batch, length\), got \(3,\)"),
        (lambda: MaskedLanguageModel(9, 8, 2)(TOKENS.float()), "tokens: expected an integer dtype, got torch.float32"),
        (lambda: mean_pool(HIDDEN[0], REAL[0]), r"hidden: expected shape \(batch, length, d\), got \(3, 2\)"),
        (lambda: mean_pool(HIDDEN.long(), REAL), "hidden: expected a floating dtype, got torch.int64"),
        (lambda: mean_pool(HIDDEN, REAL[:, :2]), r"mask: expected shape \(1, 3\), got \(1, 2\)"),
        (lambda: mean_pool(HIDDEN, REAL.long()), "mask: expected dtype torch.bool"),
        (lambda: mask_tokens(TOKENS.float(), 4, 9), "tokens: expected an integer dtype, got torch.float32"),
        (lambda: mask_tokens(TOKENS, 9, 9), "mask_id: expected an index from 0 to 8, got 9"),
        (lambda: mask_tokens(TOKENS, 4, 9, probability=1.5), "probability: expected a share from 0 to 1, got 1.5"),
        (lambda: SentenceClassifier(torch.nn.Identity(), 0, 2), "d_model: expected an integer of at least 1, got 0"),
        (lambda: SentenceClassifier(torch.nn.Identity(), 4, 0), "num_classes: expected an integer of at least 1"),
        (lambda: pseudo_log_likelihood(torch.nn.Identity(), TOKENS[0], 4), r"tokens: expected shape \(batch, length\)"),
        (lambda: pseudo_log_likelihood(torch.nn.Identity(), TOKENS.float(), 4), "tokens: expected an integer dtype"),
    ],
)
def test_what_does_not_fit_is_refused(call, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        call()
