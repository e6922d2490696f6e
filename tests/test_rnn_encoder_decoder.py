"""Unit 02 against torch's GRU, and against a search through every sentence there is."""

import collections
import itertools
import math

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from transformer_course.common.tokens import BOS, EOS, PAD
from transformer_course.rnn_encoder_decoder import beam_search, encode, greedy_decode, gru_cell, length_penalty

BATCH, LENGTH, D, D_HIDDEN, VOCAB_SIZE = 4, 6, 3, 5, 7
LENGTHS = torch.tensor([6, 1, 4, 3])


@pytest.fixture
def generator() -> torch.Generator:
    return torch.Generator().manual_seed(0)


def draw(generator, *shape):
    return torch.randn(*shape, generator=generator, dtype=torch.float64)


@pytest.fixture
def weights(generator):
    shapes = [(3 * D_HIDDEN, D), (3 * D_HIDDEN, D_HIDDEN), (3 * D_HIDDEN,), (3 * D_HIDDEN,)]
    return [draw(generator, *shape) for shape in shapes]


def copy_into(module, weights, suffix=""):
    names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    module.double().load_state_dict({name + suffix: weight for name, weight in zip(names, weights, strict=True)})
    return module


# --- the cell ---------------------------------------------------------------------------------------------------


def test_cell_equals_torch_forward_and_backward(generator, weights):
    x, hidden, upstream = draw(generator, BATCH, D), draw(generator, BATCH, D_HIDDEN), draw(generator, BATCH, D_HIDDEN)
    ours = [tensor.clone().requires_grad_() for tensor in (x, hidden, *weights)]
    theirs = [tensor.clone().requires_grad_() for tensor in (x, hidden)]
    torch_cell = copy_into(nn.GRUCell(D, D_HIDDEN), weights)
    result, expected = gru_cell(*ours), torch_cell(*theirs)
    assert_close(result, expected)
    result.backward(upstream)
    expected.backward(upstream)
    expected_grads = [*(tensor.grad for tensor in theirs), *(weight.grad for weight in torch_cell.parameters())]
    for tensor, grad in zip(ours, expected_grads, strict=True):
        assert_close(tensor.grad, grad)


def test_cell_with_an_open_and_a_closed_update_gate():
    # All weights 0; update gate 1/2, candidate tanh(1): halfway between the two. With a gate of 1 nothing moves.
    zeros = torch.zeros(6, 3, dtype=torch.float64), torch.zeros(6, 2, dtype=torch.float64)
    x, hidden = torch.ones(1, 3, dtype=torch.float64), torch.tensor([[0.5, -1.0]], dtype=torch.float64)
    candidate = torch.tensor([0.0, 0.0, 0.0, 0.0, 1.0, 1.0], dtype=torch.float64)
    halfway = gru_cell(x, hidden, *zeros, candidate, torch.zeros_like(candidate))
    assert_close(halfway, (hidden + math.tanh(1)) / 2)
    closed = candidate + torch.tensor([0.0, 0.0, 1e3, 1e3, 0.0, 0.0], dtype=torch.float64)
    assert_close(gru_cell(x, hidden, *zeros, closed, torch.zeros_like(candidate)), hidden)


@pytest.mark.parametrize(
    ("position", "shape", "message"),
    [
        (0, (2, 4), r"weight_ih: expected shape \(15, 4\), got \(15, 3\)"),
        (0, (3,), r"x: expected shape \(batch, d\), got \(3,\)"),
        (1, (3, 5), r"hidden: expected shape \(2, d_hidden\), got \(3, 5\)"),
        (3, (5, 15), r"weight_hh: expected shape \(15, 5\), got \(5, 15\)"),
        (4, (5,), r"bias_ih: expected shape \(15,\), got \(5,\)"),
        (5, (1, 15), r"bias_hh: expected shape \(15,\), got \(1, 15\)"),
    ],
)
def test_cell_refuses(position, shape, message):
    arguments = [torch.zeros(s) for s in [(2, 3), (2, 5), (15, 3), (15, 5), (15,), (15,)]]
    arguments[position] = torch.zeros(shape)
    with pytest.raises(ValueError, match=message):
        gru_cell(*arguments)


# --- the encoder ------------------------------------------------------------------------------------------------


def test_encode_equals_torch_on_packed_sentences_forward_and_backward(generator, weights):
    embedded, hidden = draw(generator, BATCH, LENGTH, D), draw(generator, BATCH, D_HIDDEN)
    upstream, upstream_final = draw(generator, BATCH, LENGTH, D_HIDDEN), draw(generator, BATCH, D_HIDDEN)
    ours = [tensor.clone().requires_grad_() for tensor in (embedded, hidden, *weights)]
    outputs, final = encode(ours[0], LENGTHS, lambda x, state: gru_cell(x, state, *ours[2:]), ours[1])

    theirs = [tensor.clone().requires_grad_() for tensor in (embedded, hidden)]
    gru = copy_into(nn.GRU(D, D_HIDDEN, batch_first=True), weights, "_l0")
    packed = nn.utils.rnn.pack_padded_sequence(theirs[0], LENGTHS, batch_first=True, enforce_sorted=False)
    packed_outputs, expected_final = gru(packed, theirs[1].unsqueeze(0))
    expected, _ = nn.utils.rnn.pad_packed_sequence(packed_outputs, batch_first=True, total_length=LENGTH)
    assert_close(outputs, expected)
    assert_close(final, expected_final[0])

    torch.autograd.backward([outputs, final], [upstream, upstream_final])
    torch.autograd.backward([expected, expected_final[0]], [upstream, upstream_final])
    expected_grads = [*(tensor.grad for tensor in theirs), *(weight.grad for weight in gru.parameters())]
    for tensor, grad in zip(ours, expected_grads, strict=True):
        assert_close(tensor.grad, grad)


def counting_cell(x, hidden):
    """Append the word as a decimal digit: the state tells which words were read, and in which order."""
    return 10 * hidden + x


def test_encode_by_hand():
    embedded = torch.tensor([[1.0, 2.0, 3.0], [4.0, 9.0, 9.0], [9.0, 9.0, 9.0]]).unsqueeze(-1)
    hidden = torch.tensor([[0.0], [0.0], [7.0]])
    outputs, final = encode(embedded, torch.tensor([3, 1, 0]), counting_cell, hidden)
    assert outputs.squeeze(-1).tolist() == [[1, 12, 123], [4, 0, 0], [0, 0, 0]]
    assert final.squeeze(-1).tolist() == [123, 4, 7]


def test_padding_changes_nothing_and_gets_no_gradient(generator, weights):
    embedded, hidden = draw(generator, BATCH, LENGTH, D), torch.zeros(BATCH, D_HIDDEN, dtype=torch.float64)
    padding = torch.arange(LENGTH) >= LENGTHS.unsqueeze(1)
    other = embedded.masked_fill(padding.unsqueeze(-1), 1e3).requires_grad_()

    def cell(x, state):
        return gru_cell(x, state, *weights)

    before, after = encode(embedded, LENGTHS, cell, hidden), encode(other, LENGTHS, cell, hidden)
    assert torch.equal(before[0], after[0])
    assert torch.equal(before[1], after[1])
    (after[0].sum() + after[1].sum()).backward()
    assert other.grad[padding].abs().max() == 0
    assert (other.grad[~padding].abs().sum(dim=-1) > 0).all()  # and the first word is reached through all the others


@pytest.mark.parametrize(("batch", "length"), [(0, 3), (3, 0), (0, 0), (1, 1)])
def test_encode_of_next_to_nothing(batch, length):
    hidden = torch.ones(batch, 2)
    outputs, final = encode(torch.ones(batch, length, 2), torch.full((batch,), length), counting_cell, hidden)
    assert outputs.shape == (batch, length, 2)
    assert torch.equal(final, hidden if length == 0 else torch.full((batch, 2), 11.0))


def test_encode_accepts_more_padding_than_needed_and_keeps_it():
    outputs, _ = encode(torch.ones(2, 5, 1), torch.tensor([2, 1]), counting_cell, torch.zeros(2, 1))
    assert outputs.squeeze(-1).tolist() == [[1, 11, 0, 0, 0], [1, 0, 0, 0, 0]]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"embedded": torch.zeros(4, 6)}, r"embedded: expected shape \(batch, length, d\), got \(4, 6\)"),
        ({"embedded": torch.zeros(4, 6, 3).long()}, "embedded: expected a floating dtype"),
        ({"lengths": LENGTHS[:3]}, r"lengths: expected shape \(4,\), got \(3,\)"),
        ({"lengths": LENGTHS.float()}, "lengths: expected dtype torch.int64"),
        ({"lengths": LENGTHS + 1}, r"lengths: expected values from 0 to length = 6, got \[7, 2, 5, 4\]"),
        ({"lengths": LENGTHS - 2}, r"lengths: expected values from 0 to length = 6, got \[4, -1, 2, 1\]"),
        ({"hidden": torch.zeros(1, 5)}, r"hidden: expected shape \(4, d_hidden\), got \(1, 5\)"),
        ({"cell": lambda x, hidden: hidden[:, :2]}, r"hidden returned by cell: expected shape \(4, 3\), got \(4, 2\)"),
    ],
)
def test_encode_refuses(changes, message):
    arguments = {
        "embedded": torch.zeros(4, 6, 3),
        "lengths": LENGTHS,
        "cell": counting_cell,
        "hidden": torch.zeros(4, 3),
    }
    with pytest.raises(ValueError, match=message):
        encode(**(arguments | changes))


# --- greedy decoding --------------------------------------------------------------------------------------------


class Script:
    """A step that makes each sentence say what stands in its row of the script, and remembers what it was asked."""

    def __init__(self, rows, vocab_size=VOCAB_SIZE):
        self.logits = nn.functional.one_hot(torch.tensor(rows), vocab_size).double()  # (batch, length, vocab_size)
        self.read = []

    def __call__(self, tokens, position):
        self.read.append(tokens.tolist())
        rows = torch.arange(len(tokens), device=tokens.device)
        return self.logits.to(tokens.device)[rows, position], position + 1


def test_greedy_keeps_eos_and_fills_up_with_padding(device):
    script = Script([[5, 6, EOS, 6, 6], [EOS, 3, 3, 3, 3], [3, 4, 5, EOS, 4]])
    result = greedy_decode(script, torch.zeros(3, dtype=torch.long, device=device), 3, max_length=5)
    assert result.device.type == device.type
    assert result.dtype == torch.long
    assert result.tolist() == [[5, 6, EOS, PAD], [EOS, PAD, PAD, PAD], [3, 4, 5, EOS]]
    assert script.read[:2] == [[BOS, BOS, BOS], [5, EOS, 3]]  # it reads its own words
    assert len(script.read) == 4  # and stops when all have ended


def test_greedy_is_cut_at_max_length():
    script = Script([[5, 6, 3, EOS], [4, EOS, 3, 3]])
    result = greedy_decode(script, torch.zeros(2, dtype=torch.long), 2, max_length=3)
    assert result.tolist() == [[5, 6, 3], [4, EOS, PAD]]
    assert len(script.read) == 3


def test_greedy_with_other_special_tokens():
    script = Script([[5, 0, 2, 4, 4], [4, 4, 4, 4, 4]])
    result = greedy_decode(script, torch.zeros(2, dtype=torch.long), 2, max_length=3, bos_id=6, eos_id=0, pad_id=3)
    assert result.tolist() == [[5, 0, 3], [4, 4, 4]]
    assert script.read[0] == [6, 6]


@pytest.mark.parametrize(("batch_size", "max_length"), [(0, 3), (2, 0)])
def test_greedy_without_sentences_or_without_words_does_not_step(batch_size, max_length):
    result = greedy_decode(pytest.fail, None, batch_size, max_length)
    assert result.shape == (batch_size, 0)
    assert result.dtype == torch.long


def test_greedy_passes_on_any_state_and_builds_no_graph():
    seen = []

    def step(tokens, state):
        logits = state["memory"][0] * torch.ones(2, VOCAB_SIZE)
        seen.append((state["calls"], logits.requires_grad))
        return logits, state | {"calls": state["calls"] + 1}

    memory = torch.ones(2, 1, requires_grad=True)
    assert greedy_decode(step, {"memory": (memory, None), "calls": 0}, 2, 2).shape == (2, 2)
    assert seen == [(0, False), (1, False)]


def test_greedy_refuses():
    with pytest.raises(ValueError, match=r"logits returned by step: expected shape \(2, vocab_size\), got \(3, 7\)"):
        greedy_decode(lambda tokens, state: (torch.zeros(3, 7), state), None, 2, 4)
    with pytest.raises(ValueError, match="max_length: expected 0 or more, got -1"):
        greedy_decode(lambda tokens, state: (torch.zeros(2, 7), state), None, 2, -1)


# --- beam search ------------------------------------------------------------------------------------------------


def test_length_penalty_by_hand():
    assert length_penalty(1, 0.7) == 1
    assert length_penalty(7, 1.0) == 2
    assert length_penalty(19, 0.5) == 2
    assert length_penalty(12, 0.0) == 1
    assert math.isclose(length_penalty(0, 2.0), 25 / 36)
    with pytest.raises(ValueError, match="length: expected 0 or more, got -1"):
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
        ({"max_length": -1}, "max_length: expected 0 or more, got -1"),
        ({"state": (torch.zeros(1, 3), torch.zeros(2, 3))}, r"state: expected shape \(1, 3\), got \(2, 3\)"),
        ({"state": torch.tensor(0.0)}, r"state: expected shape \(1,\), got \(\)"),
        ({"state": {"cache": object()}}, "state: expected a tensor, or a tuple, list or dict of tensors, got object"),
        ({"step": lambda tokens, state: (torch.zeros(7), state)}, r"logits returned by step: expected shape \(1, voc"),
        ({"step": lambda tokens, state: (torch.zeros(len(tokens), 7), torch.zeros(9, 2))}, "state returned by step"),
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
