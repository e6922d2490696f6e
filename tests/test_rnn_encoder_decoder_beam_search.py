"""Beam search of unit 02 against a search through every sentence there is."""

import collections
import itertools
import math

import pytest
import torch
from torch.testing import assert_close

from transformer_course.common.tokens import BOS, EOS
from transformer_course.rnn_encoder_decoder import beam_search, greedy_decode, length_penalty


def test_length_penalty_by_hand():
    assert length_penalty(1, 0.7) == 1
    assert length_penalty(7, 1.0) == 2
    assert length_penalty(19, 0.5) == 2
    assert length_penalty(12, 0.0) == 1
    assert math.isclose(length_penalty(0, 2.0), 25 / 36)
    with pytest.raises(ValueError, match="length: expected an integer of at least 0, got -1"):
        length_penalty(-1, 0.5)


WORDS, MAX_LENGTH = (
    4,
    4,
)  # vocabulary 0, BOS, EOS, 3: 3 + 9 + 27 sentences that end too late, 40 that end, 81 that are cut


class RandomModel:
    """Logits that depend on every word so far.

    Nothing but the state says what was written before the last word: if it is not re-indexed, the scores are wrong.
    """

    def __init__(self, seed, wrap=lambda state: state, unwrap=lambda state: state):
        generator = torch.Generator().manual_seed(seed)
        self.table = 2 * torch.randn(WORDS ** (MAX_LENGTH + 1), WORDS, generator=generator, dtype=torch.float64)
        self.wrap, self.unwrap = wrap, unwrap

    def start(self):
        return self.wrap(torch.zeros(1, dtype=torch.long))

    def step(self, tokens, state):
        prefix = self.unwrap(state) * WORDS + tokens
        return self.table[prefix], self.wrap(prefix)

    def log_probability(self, sentence):
        prefix, total = 0, 0.0
        for before, word in zip([BOS, *sentence], sentence, strict=False):
            prefix = prefix * WORDS + before
            total += self.table[prefix].log_softmax(0)[word].item()
        return total


def every_sentence():
    for length in range(1, MAX_LENGTH + 1):
        for words in itertools.product((0, 1, 3), repeat=length - 1):
            yield from ([*words, last] for last in ((EOS,) if length < MAX_LENGTH else range(WORDS)))


def exhaustive(model, alpha):
    """All sentences with their scores, best first; (5 + length) / 6 written out, not taken from the module."""
    scored = [
        (sentence, model.log_probability(sentence) / ((5 + len(sentence)) / 6) ** alpha)
        for sentence in every_sentence()
    ]
    return sorted(scored, key=lambda entry: -entry[1])


@pytest.mark.parametrize("alpha", [0.0, 0.6, 1.0, 3.0, -0.5])
@pytest.mark.parametrize("seed", range(5))
def test_a_beam_as_wide_as_the_space_finds_everything_in_order(seed, alpha):
    model = RandomModel(seed)
    expected = exhaustive(model, alpha)
    assert len(expected) == 1 + 3 + 9 + 27 * 4
    found = beam_search(model.step, model.start(), len(expected), MAX_LENGTH, alpha)
    assert [tokens for tokens, _ in found] == [tokens for tokens, _ in expected]
    assert_close([score for _, score in found], [score for _, score in expected])


@pytest.mark.parametrize("alpha", [0.0, 1.0])
@pytest.mark.parametrize("beam_width", [1, 2, 5, 20])
@pytest.mark.parametrize("seed", range(5))
def test_a_narrow_beam_gives_distinct_sentences_with_their_true_scores(seed, beam_width, alpha):
    model = RandomModel(seed)
    found = beam_search(model.step, model.start(), beam_width, MAX_LENGTH, alpha)
    scores = [score for _, score in found]
    assert 1 <= len(found) <= beam_width
    assert len({tuple(tokens) for tokens, _ in found}) == len(found)
    assert scores == sorted(scores, reverse=True)
    for tokens, score in found:
        assert EOS not in tokens[:-1]
        assert tokens[-1] == EOS or len(tokens) == MAX_LENGTH
        assert math.isclose(score, model.log_probability(tokens) / ((5 + len(tokens)) / 6) ** alpha, rel_tol=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_a_beam_of_1_is_greedy(seed):
    model = RandomModel(seed)
    ((tokens, _),) = beam_search(model.step, model.start(), 1, MAX_LENGTH)
    assert tokens == greedy_decode(model.step, model.start(), 1, MAX_LENGTH)[0].tolist()


def test_a_beam_of_1_is_greedy_on_ties_too():
    model = RandomModel(0)
    model.table = model.table.round().clamp(-1, 1)
    ((tokens, _),) = beam_search(model.step, model.start(), 1, MAX_LENGTH)
    assert tokens == greedy_decode(model.step, model.start(), 1, MAX_LENGTH)[0].tolist()
    model.table = torch.zeros_like(model.table)
    assert beam_search(model.step, model.start(), 1, MAX_LENGTH)[0][0] == [0] * MAX_LENGTH


Pair = collections.namedtuple("Pair", "prefix other")


@pytest.mark.parametrize(
    ("wrap", "unwrap"),
    [
        (lambda s: (s, torch.zeros(len(s), 2, 3)), lambda s: s[0]),
        (lambda s: [torch.zeros(len(s), 2), s], lambda s: s[1]),
        (lambda s: {"prefix": s, "mask": torch.ones(len(s), 1, dtype=torch.bool)}, lambda s: s["prefix"]),
        (lambda s: {"layers": [(s, None), ()]}, lambda s: s["layers"][0][0]),
        (lambda s: Pair(s, None), lambda s: s.prefix),
    ],
    ids=["tuple", "list", "dict", "nested", "named tuple"],
)
def test_the_state_may_be_a_container(wrap, unwrap):
    plain, wrapped = RandomModel(3), RandomModel(3, wrap, unwrap)
    assert beam_search(wrapped.step, wrapped.start(), 4, MAX_LENGTH) == beam_search(
        plain.step, plain.start(), 4, MAX_LENGTH
    )


def table_step(table):
    """A model whose next word depends on the last one only; the state is not used."""
    log_probabilities = torch.tensor(table, dtype=torch.float64).log()
    return lambda tokens, state: (log_probabilities[tokens], state)


def test_greedy_misses_what_a_beam_finds():
    # From BOS: 3 with .6, 4 with .4. After 3 four words share the rest evenly, after 4 the sentence ends for certain.
    impossible = [0.0] * 5
    table = [impossible, [0, 0, 0, 0.6, 0.4], impossible, [0.25, 0.25, 0.25, 0.25, 0.0], [0, 0, 1.0, 0, 0]]
    found = beam_search(table_step(table), torch.zeros(1), 2, 2)
    assert found[0][0] == [4, EOS]
    assert math.isclose(found[0][1], math.log(0.4))
    assert math.isclose(found[1][1], math.log(0.6 / 4))
    ((greedy, score),) = beam_search(table_step(table), torch.zeros(1), 1, 2)
    assert greedy[0] == 3
    assert math.isclose(score, math.log(0.6 / 4))


def test_alpha_lets_a_long_sentence_win_and_eos_counts():
    # [EOS] has .5; [3, 4, 3, EOS] has .45: with alpha = 1 it is divided by 9 / 6.
    table = [[0.2] * 5, [0, 0, 0.5, 0.45, 0.05], [0.2] * 5, [0, 0, 0.5, 0, 0.5], [0.0, 0.0, 0.0, 1.0, 0.0]]
    step = table_step(table)
    scores = {tuple(tokens): score for tokens, score in beam_search(step, torch.zeros(1), 20, 4, alpha=1.0)}
    assert math.isclose(scores[(EOS,)], math.log(0.5))
    assert math.isclose(scores[(3, EOS)], math.log(0.225) / (7 / 6))
    assert math.isclose(scores[(3, 4, 3, EOS)], math.log(0.1125) / (9 / 6))
    assert math.isclose(scores[(3, 4, 3, 4)], math.log(0.1125) / (9 / 6))  # cut, with its own score
    assert beam_search(step, torch.zeros(1), 20, 4, alpha=0.0)[0][0] == [EOS]
    assert beam_search(step, torch.zeros(1), 20, 4, alpha=6.0)[0][0] == [3, 4, 3, EOS]


def test_search_goes_on_while_a_longer_sentence_can_still_win():
    # After two steps [EOS] (.5) and [3, EOS] (.15) have ended and [3, 4] (.15) goes on with 4 for ever. Cut at 6 words
    # it is divided by 11 / 6 and passes [3, EOS], which is divided by 7 / 6.
    table = [[0.2] * 5, [0, 0, 0.5, 0.3, 0.2], [0.2] * 5, [0, 0, 0.5, 0, 0.5], [0.0, 0.0, 0.0, 0.0, 1.0]]
    best, second = beam_search(table_step(table), torch.zeros(1), 2, 6, alpha=1.0)
    assert best[0] == [EOS]
    assert second[0] == [3, 4, 4, 4, 4, 4]
    assert math.isclose(second[1], math.log(0.15) / (11 / 6))


def test_search_goes_on_while_a_sentence_that_ends_soon_can_still_win():
    # A negative alpha punishes length. [EOS] (.1) and [3, EOS] (.016) have ended, [3, 4] (.784) ends for certain.
    table = [[0.2] * 5, [0.05, 0.05, 0.1, 0.8, 0], [0.2] * 5, [0, 0, 0.02, 0, 0.98], [0.0, 0.0, 1.0, 0.0, 0.0]]
    best, second = beam_search(table_step(table), torch.zeros(1), 2, 200, alpha=-1.0)
    assert best[0] == [3, 4, EOS]
    assert math.isclose(best[1], math.log(0.784) * (8 / 6))
    assert second[0] == [EOS]


def test_a_constant_added_to_the_logits_changes_nothing():
    model = RandomModel(1)
    shift = torch.linspace(-50, 50, len(model.table), dtype=torch.float64).unsqueeze(1)
    before = beam_search(model.step, model.start(), 5, MAX_LENGTH)
    model.table = model.table + shift
    after = beam_search(model.step, model.start(), 5, MAX_LENGTH)
    assert [tokens for tokens, _ in before] == [tokens for tokens, _ in after]
    assert_close([score for _, score in before], [score for _, score in after])


def test_other_special_tokens():
    # 5 starts, 0 ends; 2 is a word like any other.
    table = [[1 / 6] * 6, [0, 0, 1, 0, 0, 0], [1, 0, 0, 0, 0, 0], [1 / 6] * 6, [1 / 6] * 6, [0, 1, 0, 0, 0, 0]]
    found = beam_search(table_step(table), torch.zeros(1), 3, 9, bos_id=5, eos_id=0)
    assert found == [([1, 2, 0], 0.0)]  # the only sentence that is possible at all


def test_search_stops_when_nothing_can_win_any_more():
    calls = []

    def step(tokens, state):
        calls.append(len(tokens))
        return torch.tensor([[0.0, 0.0, 9.0, 0.0]]).expand(len(tokens), -1), state

    # Each hypothesis that does not end pays 9 for the word; it ends for free after that. [EOS] and [w, EOS] win.
    assert beam_search(step, torch.zeros(1), 2, 100)[0][0] == [EOS]
    assert len(calls) == 2


def test_no_words_allowed():
    assert beam_search(pytest.fail, torch.zeros(1), 3, 0) == [([], 0.0)]


def test_half_precision_is_summed_in_single(device):
    # log 1/3 three times is -3.2958; in bfloat16 the sum would be -3.2969.
    logits = torch.tensor([[0.0, 0.0, -50.0, 0.0]], dtype=torch.bfloat16, device=device)
    found = beam_search(lambda tokens, state: (logits.expand(len(tokens), -1), state), logits, 1, 3)
    assert found[0][0] == [0, 0, 0]
    assert math.isclose(found[0][1], 3 * math.log(1 / 3), rel_tol=1e-6)  # single precision


def test_the_state_that_was_passed_in_is_left_alone():
    model = RandomModel(2)
    state = {"prefix": model.start()}
    inner = RandomModel(2, lambda s: {"prefix": s}, lambda s: s["prefix"])
    first = beam_search(inner.step, state, 3, MAX_LENGTH)
    assert state["prefix"].tolist() == [0]
    assert beam_search(inner.step, state, 3, MAX_LENGTH) == first


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"beam_width": 0}, "beam_width: expected an integer of at least 1, got 0"),
        ({"max_length": -1}, "max_length: expected an integer of at least 0, got -1"),
        ({"state": (torch.zeros(1, 3), torch.zeros(2, 3))}, r"state: expected shape \(1, 3\), got \(2, 3\)"),
        ({"state": torch.tensor(0.0)}, r"state: expected shape \(1,\), got \(\)"),
        ({"state": {"cache": object()}}, "state: expected a tensor, or a tuple, list or dict of tensors, got object"),
        ({"step": lambda tokens, state: (torch.zeros(7), state)}, r"logits returned by step: expected shape \(1, voc"),
        ({"step": lambda tokens, state: (torch.zeros(len(tokens), 7), torch.zeros(9, 2))}, "state returned by step"),
        ({"step": lambda tokens, state: (torch.full((len(tokens), 7), math.nan), state)}, "expected at least one word"),
    ],
)
def test_beam_search_refuses(changes, message):
    arguments = {
        "step": lambda tokens, state: (torch.zeros(len(tokens), 7), state),
        "state": torch.zeros(1, 3),
        "beam_width": 2,
        "max_length": 4,
    }
    with pytest.raises(ValueError, match=message):
        beam_search(**(arguments | changes))


def test_logits_without_a_possible_word_are_refused():
    with pytest.raises(ValueError, match="expected at least one word that is possible, got -inf or NaN"):
        beam_search(lambda tokens, state: (torch.full((len(tokens), 5), -math.inf), state), torch.zeros(1, 1), 2, 3)


def test_a_state_may_be_none():
    """A cache is, before its first word."""

    def step(tokens, state):
        length = 0 if state["cache"] is None else state["cache"].shape[1]
        logits = torch.eye(5)[[EOS if length == 2 else 4]].mul(9).expand(len(tokens), 5)
        return logits, {"cache": torch.zeros(len(tokens), length + 1)}

    assert beam_search(step, {"cache": None}, 1, 5)[0][0] == [4, 4, EOS]


@pytest.mark.parametrize("beam_width", [2, 3, 40])
def test_a_hypothesis_whose_logits_are_nan_is_refused_in_a_wide_beam_too(beam_width):
    def step(tokens, state):
        logits = torch.zeros(len(tokens), 5)
        logits[1:2] = math.nan  # the second hypothesis, once there are two
        return logits, state

    with pytest.raises(ValueError, match="expected at least one word that is possible, got -inf or NaN"):
        beam_search(step, torch.zeros(1, 1), beam_width, 3)
