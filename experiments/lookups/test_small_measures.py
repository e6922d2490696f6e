"""The small translators of chapter 03 and what is asked of them: scores, other weights, shares."""

import random

import pytest
import torch
from torch.testing import assert_close

from experiments.looks.scored_attention import SCORES, ScoredTranslator, train_small
from experiments.lookups.small_measures import (
    diagonal_maps,
    guessed_from_french,
    looks_of_articles,
    other_looks,
    share_on_gold,
    share_translated,
    word_maps,
    words_right,
)
from transformer_course.common.tokens import EOS, PAD
from transformer_course.data.sentences import SentencePair
from transformer_course.data.toy_grammar import ENGLISH, FRENCH, as_tensors, draw_phrase_pair
from transformer_course.rnn_attention import additive_score, dot_score

PAIRS = [draw_phrase_pair(random.Random(seed)) for seed in range(9)]
SIZES = len(ENGLISH), len(FRENCH)


def make(score):
    torch.manual_seed(0)
    return ScoredTranslator(score, *SIZES, d_embedding=5, d_hidden=6).double().eval()


@pytest.mark.parametrize("score", SCORES)
def test_scores_are_those_of_chapter_03(score):
    model = make(score)
    hidden, memory = torch.randn(3, 4, 6).double(), torch.randn(3, 5, 6).double()
    scores = model._scores(hidden, memory)
    for i, query in enumerate(hidden.unbind(dim=1)):
        if score == "dot":
            expected = dot_score(query, memory)
        elif score == "general":
            expected = dot_score(model.w_query(query), memory)
        elif score == "concat":
            v = model.v.weight.squeeze(0)
            expected = additive_score(query, memory, model.w_query.weight, model.w_key.weight, v)
        else:
            expected = torch.zeros(3, 5).double()
        assert_close(scores[:, i], expected)


@pytest.mark.parametrize("score", SCORES)
def test_its_own_weights_give_its_own_logits(score):
    model = make(score)
    source, target = as_tensors(PAIRS)
    weights = model.attention_weights(source, target[:, :-1])
    assert_close(model.logits_with(source, target[:, :-1], weights), model(source, target[:, :-1]))


def test_a_look_changes_its_own_word_only():
    model = make("general")
    source, target = as_tensors(PAIRS)
    weights = model.attention_weights(source, target[:, :-1])
    moved = weights.clone()
    moved[:, 1] = 0.0
    change = model.logits_with(source, target[:, :-1], moved) - model(source, target[:, :-1])
    assert (change.abs().amax(dim=-1) > 0)[:, 1].all()
    assert_close(change[:, 2:], torch.zeros_like(change[:, 2:]))


def test_an_unknown_score_is_refused():
    with pytest.raises(ValueError, match="score: expected one of dot"):
        make("cosine")


def test_other_looks_are_weights_over_real_words():
    model = make("concat")
    source, target = as_tensors(PAIRS)
    weights = model.attention_weights(source, target[:, :-1])
    ways = other_looks(weights, PAIRS, torch.Generator().manual_seed(0))
    for other in ways.values():
        assert_close(other.sum(dim=-1), torch.ones(weights.shape[:2]).to(other.dtype))
        padding = (source == PAD).unsqueeze(1).expand_as(other)
        assert (other[padding] == 0).all()
    assert_close(ways["its own, shuffled"].sort(dim=-1).values, weights.sort(dim=-1).values)
    m, n = len(PAIRS[0].target), len(PAIRS[0].source)
    assert ways["all on the gold word"][0, m, n] == 1
    assert source[0, n] == EOS
    on_noun = ways["so, but articles on the noun"]
    maps = [on_noun[i, None, None, : len(pair.target), : len(pair.source)] for i, pair in enumerate(PAIRS)]
    assert looks_of_articles(maps, PAIRS) == {"the": 0, "adjective": 0, "noun": 1, "elsewhere": 0}
    assert share_on_gold(maps, PAIRS, articles=False) == 1


def test_shares_of_known_maps():
    perfect = []
    for pair in PAIRS:
        weights = torch.zeros(1, 1, len(pair.target), len(pair.source))
        for row, column in pair.alignment:
            weights[0, 0, row, column] = 1.0
        perfect.append(weights)
    assert share_on_gold(perfect, PAIRS, articles=True) == share_on_gold(perfect, PAIRS, articles=False) == 1
    assert looks_of_articles(perfect, PAIRS) == {"the": 1, "adjective": 0, "noun": 0, "elsewhere": 0}


def test_the_diagonal_goes_from_the_first_word_to_the_last():
    pairs = [SentencePair(("the", "owl", "sleeps"), ("la", "chouette", "qui", "dort", "bien"), frozenset())]
    pairs.append(SentencePair(("the", "owl"), ("elle",), frozenset()))
    longer, one = diagonal_maps(pairs)
    assert longer[0, 0].argmax(dim=1).tolist() == [0, 0, 1, 2, 2]  # 0.5 and 1.5 go to the even number
    assert_close(longer.sum(dim=-1), torch.ones(1, 1, 5))
    assert one.tolist() == [[[[1.0, 0.0]]]]


def test_a_guess_from_french_counts_what_has_come_since_the_last_link_word():
    def pair(french):
        return SentencePair((), tuple(french.split()), frozenset())

    known = [pair("le chat"), pair("la reine"), pair("la reine"), pair("la souris voit le roi")]
    assert guessed_from_french(known, known[1:3]) == (1.0, 1.0)
    # After la: reine, not souris. After voit: le, although la is the commoner article; and after le, now, roi.
    assert guessed_from_french(known, [pair("la souris voit le roi")]) == (1.0, 2 / 3)
    assert guessed_from_french(known, [pair("le roi suit la reine")]) == (0.0, 0.0)  # nothing was counted after la here


def test_a_short_training_makes_it_better():
    torch.manual_seed(0)
    model = ScoredTranslator("general", *SIZES, d_embedding=20, d_hidden=40)
    pairs = [draw_phrase_pair(random.Random(0), 1) for _ in range(20)]
    source, target = as_tensors(pairs)
    own = model.attention_weights(source, target[:, :-1])
    before = words_right(model, pairs, own)
    train_small(model, source, target, 60, 0.016)
    after = words_right(model, pairs, model.attention_weights(source, target[:, :-1]))
    assert min(after) > 0.9 > max(before)
    assert share_translated(model, pairs) > 0.9
    assert word_maps(model, pairs)[0].shape == (1, 1, len(pairs[0].target), len(pairs[0].source))
