"""Judges of grammar beside the masked model: what they may see, and sums that can be worked out by hand."""

import pytest
import torch
from torch.nn import functional as F

from experiments.judges.judging import (
    CausalModel,
    by_counts,
    by_model,
    fit_head,
    of_pairs,
    pretrain_causal,
    sentence_vectors,
    words_before,
)
from experiments.masked_language.pretraining import load_text
from transformer_course.common.tokens import BOS, PAD
from transformer_course.data.agreement_pairs import draw_groups


@pytest.fixture(scope="module")
def text():
    return load_text(num_corpus=1500, num_clauses=300)


def causal(text) -> CausalModel:
    torch.manual_seed(0)
    return CausalModel(len(text.vocabulary), d_model=16, num_heads=2, num_layers=2, d_ff=24, max_length=20).eval()


def test_a_causal_model_sees_what_comes_before_and_nothing_else(text):
    model = causal(text)
    tokens = torch.randint(5, 40, (3, 7), generator=torch.Generator().manual_seed(0))
    before = by_model(model)(tokens)
    changed = tokens.clone()
    changed[:, 4] = 41
    after = by_model(model)(changed)
    assert torch.equal(before[:, :4], after[:, :4])
    assert (before[:, 4:] != after[:, 4:]).all()


def test_padding_changes_no_score_and_has_none(text):
    score, tokens = by_model(causal(text)), torch.tensor([[9, 8, 7, 6], [5, 6, 7, 8]])
    padded = F.pad(tokens, (0, 3), value=PAD)
    torch.testing.assert_close(score(padded)[:, :4], score(tokens))
    assert (score(padded)[:, 4:] == 0).all()


def test_the_probabilities_of_all_next_words_sum_to_one(text):
    number = len(text.vocabulary)
    every = torch.stack([torch.full((number,), 7), torch.arange(number)], dim=1)[1:]  # PAD is scored as nothing
    for score in (by_model(causal(text)), by_counts(text, 3)):
        of_pad = 1 - score(every)[:, 1].double().exp().sum().item()
        assert 0 <= of_pad < 0.05


def test_words_before_begin_with_the_token_for_it():
    assert words_before(torch.tensor([[5, 6, 7]])).tolist() == [[BOS, 5, 6]]


def test_a_few_updates_make_the_text_more_probable(text):
    model = causal(text)
    first = by_model(model)(text.encode(text.words[:50])).sum()
    run = pretrain_causal(model, text.train, 40)
    assert by_model(model)(text.encode(text.words[:50])).sum() > first + 50
    assert run.updates == 40


def test_a_judge_who_knows_the_number_of_words_alone_is_right_in_half_of_the_pairs(text):
    # A score of each word by itself: in each group one form is the right one of one pair, the wrong one of the other.
    groups = draw_groups(12, 0)
    verb, right, wrong = of_pairs(lambda tokens: -tokens.double() / 100, groups, text)
    assert verb.view(-1, 2).sum(dim=1).tolist() == [1] * 12
    assert torch.equal(right > wrong, verb)


def test_a_question_cannot_be_judged_at_its_first_word(text):
    groups = [group for group in draw_groups(40, 0) if group.frame == "question"]
    verb, _, _ = of_pairs(by_model(causal(text)), groups, text)
    assert verb.double().mean() == 0.5


def test_a_head_finds_a_line_and_no_more():
    generator = torch.Generator().manual_seed(0)
    vectors = torch.randn(400, 6, generator=generator)
    line = (vectors @ torch.tensor([2.0, -1, 0, 0, 0.5, 0]) > 0.3).long()
    circle = (vectors.square().sum(dim=1) > 5.5).long()
    assert fit_head(vectors[:200], line[:200], 100.0)(vectors[200:], line[200:]) > 0.95
    assert fit_head(vectors[:200], circle[:200], 100.0)(vectors[200:], circle[200:]) < 0.65


def test_the_vector_of_a_sentence_ignores_padding(text):
    model, tokens = causal(text), torch.tensor([[9, 8, 7]])
    torch.testing.assert_close(
        sentence_vectors(model, F.pad(tokens, (0, 2), value=PAD)), sentence_vectors(model, tokens)
    )
