"""Unit 02 against torch's GRU and by hand; its beam search has a file of its own."""

import math

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from transformer_course.common.tokens import BOS, EOS, PAD
from transformer_course.rnn_encoder_decoder import decode, encode, greedy_decode, gru_cell

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


def test_decode_is_torchs_recurrence_and_output_layer_forward_and_backward(generator, weights):
    embedded, hidden, w_output = (draw(generator, *size) for size in ((BATCH, 7, D), (BATCH, D_HIDDEN), (11, D_HIDDEN)))
    ours = [tensor.clone().requires_grad_() for tensor in (embedded, hidden, w_output)]
    logits = decode(*ours[:2], lambda x, state: gru_cell(x, state, *weights), ours[2])

    theirs = [tensor.clone().requires_grad_() for tensor in (embedded, hidden, w_output)]
    states, _ = copy_into(nn.GRU(D, D_HIDDEN, batch_first=True), weights, "_l0")(theirs[0], theirs[1].unsqueeze(0))
    expected = nn.functional.linear(states, theirs[2])
    assert_close(logits, expected)

    upstream = draw(generator, *logits.shape)
    logits.backward(upstream)
    expected.backward(upstream)
    for tensor, other in zip(ours, theirs, strict=True):
        assert_close(tensor.grad, other.grad)


def test_a_sentence_goes_from_encoder_to_decoder_through_one_state():
    source, target = torch.tensor([[1.0, 2.0], [3.0, 9.0]]), torch.tensor([[5.0, 6.0], [7.0, 8.0]])
    _, hidden = encode(source.unsqueeze(-1), torch.tensor([2, 1]), counting_cell, torch.zeros(2, 1))
    logits = decode(target.unsqueeze(-1), hidden, counting_cell, torch.tensor([[1.0], [-1.0]]))
    assert logits.tolist() == [[[125, -125], [1256, -1256]], [[37, -37], [378, -378]]]


@pytest.mark.parametrize(("batch", "length"), [(0, 3), (3, 0)])
def test_decode_of_nothing(batch, length):
    logits = decode(torch.ones(batch, length, 1), torch.zeros(batch, 1), counting_cell, torch.ones(5, 1))
    assert logits.shape == (batch, length, 5)


def test_decode_refuses():
    with pytest.raises(ValueError, match=r"w_output: expected shape \(vocab_size, 3\), got \(3, 5\)"):
        decode(torch.zeros(2, 4, 1), torch.zeros(2, 3), counting_cell, torch.zeros(3, 5))
    with pytest.raises(ValueError, match="embedded"):
        decode(torch.zeros(2, 4), torch.zeros(2, 3), counting_cell, torch.zeros(5, 3))
    with pytest.raises(ValueError, match=r"hidden returned by cell: expected shape \(2, 3\), got \(2, 4\)"):
        decode(torch.zeros(2, 4, 1), torch.zeros(2, 3), lambda x, hidden: torch.zeros(2, 4), torch.zeros(5, 3))


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


@pytest.mark.parametrize("kind", [list, tuple])
def test_greedy_writes_where_the_first_tensor_of_the_state_lies(kind):
    state = kind([None, torch.zeros(2, 3, device="meta")])
    assert greedy_decode(pytest.fail, state, 2, 0).device.type == "meta"


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
    with pytest.raises(ValueError, match="max_length: expected an integer of at least 0, got -1"):
        greedy_decode(lambda tokens, state: (torch.zeros(2, 7), state), None, 2, -1)
    with pytest.raises(ValueError, match="batch_size: expected an integer of at least 0, got -1"):
        greedy_decode(lambda tokens, state: (torch.zeros(2, 7), state), None, -1, 4)


@pytest.mark.parametrize("bad", [math.nan, -math.inf])
def test_greedy_refuses_logits_without_a_possible_word(bad):
    def step(tokens, state):  # the first sentence ends at once, the other one meets the bad logits at step 2
        logits = torch.zeros(2, 7)
        logits[0, EOS] = logits[1, 5] = 1.0
        if state >= 1:
            logits[0] = bad  # nobody asks any more
        if state >= 2:
            logits[1, 3 if math.isnan(bad) else slice(None)] = bad
        return logits, state + 1

    assert greedy_decode(step, 0, 2, 2).tolist() == [[EOS, PAD], [5, 5]]
    with pytest.raises(ValueError, match="logits returned by step: expected at least one word that is possible"):
        greedy_decode(step, 0, 2, 3)
