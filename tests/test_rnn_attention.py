"""Unit 03 against torch's bidirectional GRU, its softmax, and alignment error rates worked by hand."""

import math

import pytest
import torch
from torch import nn
from torch.nn import functional as F
from torch.testing import assert_close

from transformer_course.rnn_attention import (
    additive_score,
    alignment_error_rate,
    attend,
    bidirectional_encode,
    decoder_step,
    dot_score,
    reverse_sequences,
)
from transformer_course.rnn_encoder_decoder import gru_cell

BATCH, LENGTH, D, D_HIDDEN, D_A, D_Q = 4, 6, 3, 5, 7, 2
LENGTHS = torch.tensor([6, 1, 4, 3])


@pytest.fixture
def generator() -> torch.Generator:
    return torch.Generator().manual_seed(0)


def draw(generator, *shape):
    return torch.randn(*shape, generator=generator, dtype=torch.float64)


# --- the bidirectional encoder ----------------------------------------------------------------------------------


def test_bidirectional_encode_equals_torch_on_packed_sentences_forward_and_backward(generator):
    gru = nn.GRU(D, D_HIDDEN, batch_first=True, bidirectional=True).double()
    embedded, hidden = draw(generator, BATCH, LENGTH, D), draw(generator, BATCH, D_HIDDEN)
    upstream = draw(generator, BATCH, LENGTH, 2 * D_HIDDEN)
    ours = [tensor.clone().requires_grad_() for tensor in (embedded, hidden)]
    weights = [weight.detach().clone().requires_grad_() for weight in gru.parameters()]

    outputs = bidirectional_encode(
        ours[0],
        LENGTHS,
        lambda x, state: gru_cell(x, state, *weights[:4]),
        lambda x, state: gru_cell(x, state, *weights[4:]),
        ours[1],
    )
    theirs = [tensor.clone().requires_grad_() for tensor in (embedded, hidden)]
    packed = nn.utils.rnn.pack_padded_sequence(theirs[0], LENGTHS, batch_first=True, enforce_sorted=False)
    packed_outputs, _ = gru(packed, torch.stack([theirs[1], theirs[1]]))
    expected, _ = nn.utils.rnn.pad_packed_sequence(packed_outputs, batch_first=True, total_length=LENGTH)
    assert_close(outputs, expected)

    outputs.backward(upstream)
    expected.backward(upstream)
    expected_grads = [*(tensor.grad for tensor in theirs), *(weight.grad for weight in gru.parameters())]
    for tensor, grad in zip([*ours, *weights], expected_grads, strict=True):
        assert_close(tensor.grad, grad)


def counting_cell(x, hidden):
    """Append the word as a decimal digit: the state tells which words were read, and in which order."""
    return 10 * hidden + x


def test_each_direction_reads_its_words_in_its_own_order():
    embedded = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 9.0], [9.0, 9.0, 9.0]]).unsqueeze(-1)
    hidden = torch.tensor([[0.0], [7.0], [8.0]])
    outputs = bidirectional_encode(embedded, torch.tensor([3, 2, 0]), counting_cell, counting_cell, hidden)
    assert outputs[..., 0].tolist() == [[1, 12, 123], [74, 745, 0], [0, 0, 0]]
    assert outputs[..., 1].tolist() == [[321, 32, 3], [754, 75, 0], [0, 0, 0]]


def test_the_two_cells_are_not_confused():
    outputs = bidirectional_encode(
        torch.ones(1, 2, 1), torch.tensor([2]), counting_cell, lambda x, hidden: hidden - x, torch.zeros(1, 1)
    )
    assert outputs.tolist() == [[[1.0, -2.0], [11.0, -1.0]]]


@pytest.mark.parametrize(("batch", "length"), [(0, 3), (3, 0), (1, 1)])
def test_bidirectional_encode_of_next_to_nothing(batch, length):
    outputs = bidirectional_encode(
        torch.ones(batch, length, 2), torch.full((batch,), length), counting_cell, counting_cell, torch.ones(batch, 2)
    )
    assert outputs.shape == (batch, length, 4)
    assert torch.equal(outputs, torch.full_like(outputs, 11.0))


def test_bidirectional_encode_refuses_wrong_lengths():
    with pytest.raises(ValueError, match=r"lengths: expected values from 0 to length = 6, got \[7, 2, 5, 4\]"):
        bidirectional_encode(torch.zeros(4, 6, 3), LENGTHS + 1, counting_cell, counting_cell, torch.zeros(4, 3))


# --- the scores -------------------------------------------------------------------------------------------------


def test_dot_score_is_the_dot_product(generator):
    query, keys = draw(generator, BATCH, D), draw(generator, BATCH, LENGTH, D)
    scores = dot_score(query, keys)
    assert scores.shape == (BATCH, LENGTH)
    for sentence in range(BATCH):
        for position in range(LENGTH):
            assert_close(scores[sentence, position], torch.dot(query[sentence], keys[sentence, position]))


def test_additive_score_is_a_network_with_one_hidden_layer(generator):
    query, keys = draw(generator, BATCH, D_Q), draw(generator, BATCH, LENGTH, D)
    w_query, w_key, v = draw(generator, D_A, D_Q), draw(generator, D_A, D), draw(generator, D_A)
    network = nn.Sequential(nn.Linear(D_Q + D, D_A, bias=False), nn.Tanh(), nn.Linear(D_A, 1, bias=False)).double()
    network[0].weight.data = torch.cat([w_query, w_key], dim=1)
    network[2].weight.data = v.unsqueeze(0)
    pairs = torch.cat([query.unsqueeze(1).expand(-1, LENGTH, -1), keys], dim=-1)
    assert_close(additive_score(query, keys, w_query, w_key, v), network(pairs).squeeze(-1))


def test_gradients_against_finite_differences(generator):
    query, keys = draw(generator, 2, D).requires_grad_(), draw(generator, 2, 4, D).requires_grad_()
    weights = [draw(generator, *shape).requires_grad_() for shape in ((D_A, D), (D_A, D), (D_A,))]
    mask = torch.tensor([[True, False, True, True], [False, False, False, False]])
    assert torch.autograd.gradcheck(dot_score, (query, keys))
    assert torch.autograd.gradcheck(additive_score, (query, keys, *weights))
    scores = draw(generator, 2, 4).requires_grad_()
    assert torch.autograd.gradcheck(lambda scores, values: attend(scores, values, mask), (scores, keys))


# --- the weighted average ---------------------------------------------------------------------------------------


def test_attend_by_hand():
    # e^0 : e^ln3 = 1 : 3; the third word is masked, however high its score.
    scores = torch.tensor([[0.0, math.log(3), 9.0]], dtype=torch.float64)
    values = torch.tensor([[[4.0, 0.0], [0.0, 8.0], [100.0, 100.0]]], dtype=torch.float64)
    context, weights = attend(scores, values, torch.tensor([[True, True, False]]))
    assert_close(weights, torch.tensor([[0.25, 0.75, 0.0]], dtype=torch.float64))
    assert_close(context, torch.tensor([[1.0, 6.0]], dtype=torch.float64))


@pytest.mark.parametrize("masked", [False, True])
def test_attend_equals_torch_forward_and_backward(generator, masked):
    """Attention of one query: with d_k = 1, query 1 and keys equal to the scores, torch computes the same."""
    scores, values = draw(generator, BATCH, LENGTH), draw(generator, BATCH, LENGTH, D)
    upstream = draw(generator, BATCH, D)
    mask = torch.arange(LENGTH) < LENGTHS.unsqueeze(1) if masked else None
    ours = [tensor.clone().requires_grad_() for tensor in (scores, values)]
    theirs = [tensor.clone().requires_grad_() for tensor in (scores, values)]
    context, weights = attend(*ours, mask)
    expected = F.scaled_dot_product_attention(
        torch.ones(BATCH, 1, 1, dtype=torch.float64),
        theirs[0].unsqueeze(-1),
        theirs[1],
        attn_mask=mask.unsqueeze(1) if masked else None,
    ).squeeze(1)
    assert_close(context, expected)
    assert_close(weights.sum(dim=-1), torch.ones(BATCH, dtype=torch.float64))
    context.backward(upstream)
    expected.backward(upstream)
    for tensor, other in zip(ours, theirs, strict=True):
        assert_close(tensor.grad, other.grad)


@pytest.mark.parametrize("how", ["by mask", "by score", "by both"])
def test_nothing_to_attend_to_gives_zeros_and_a_finite_gradient(generator, how):
    scores, values = draw(generator, 2, 3), draw(generator, 2, 3, D)
    mask = torch.ones(2, 3, dtype=torch.bool)
    if how == "by mask":
        mask[1] = False
    elif how == "by score":
        scores[1] = -math.inf
    else:
        scores[1, 0], mask[1, 1:] = -math.inf, False
    scores.requires_grad_()
    values.requires_grad_()
    context, weights = attend(scores, values, mask)
    assert context[1].tolist() == [0.0] * D
    assert weights[1].tolist() == [0.0] * 3
    assert_close(weights[0], scores[0].softmax(dim=-1))
    (context.sum() + weights.square().sum()).backward()
    assert scores.grad[1].tolist() == [0.0] * 3
    assert scores.grad.isfinite().all()
    assert values.grad.isfinite().all()


@pytest.mark.parametrize("shape", [(2, 0, 3), (0, 4, 3), (2, 1, 3), (2, 4, 0)])
def test_attend_edge_shapes(shape):
    context, weights = attend(torch.zeros(shape[:2]), torch.ones(shape))
    assert context.shape == (shape[0], shape[2])
    assert weights.shape == shape[:2]
    assert torch.equal(context, torch.full_like(context, 0.0 if shape[1] == 0 else 1.0))


def test_large_scores_stay_finite():
    _, weights = attend(torch.tensor([[1e4, -1e4, 1e4]]), torch.ones(1, 3, 2))
    assert weights.tolist() == [[0.5, 0.0, 0.5]]


def test_inputs_are_not_modified(generator):
    scores, values = draw(generator, BATCH, LENGTH), draw(generator, BATCH, LENGTH, D)
    mask = torch.arange(LENGTH) < LENGTHS.unsqueeze(1)
    copies = scores.clone(), values.clone(), mask.clone()
    attend(scores, values, mask)
    for tensor, copy in zip((scores, values, mask), copies, strict=True):
        assert torch.equal(tensor, copy)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_results_have_the_dtype_and_device_of_the_inputs(generator, dtype, device):
    query, keys = (draw(generator, *shape).to(device, dtype) for shape in ((BATCH, D), (BATCH, LENGTH, D)))
    w, v = torch.ones(D_A, D, device=device, dtype=dtype), torch.ones(D_A, device=device, dtype=dtype)
    results = [dot_score(query, keys), additive_score(query, keys, w, w, v)]
    results += attend(results[0], keys, (torch.arange(LENGTH) < LENGTHS.unsqueeze(1)).to(device))
    results.append(bidirectional_encode(keys, LENGTHS.to(device), counting_cell, counting_cell, query))
    for result in results:
        assert result.dtype == dtype
        assert result.device.type == device.type


# --- alignment error rate ---------------------------------------------------------------------------------------


def pointing(*positions, source_length=5):
    return F.one_hot(torch.tensor(positions), source_length).double()


def test_alignment_error_rate_by_hand():
    weights = pointing(0, 2, 1, 4)  # A = {(0, 0), (1, 2), (2, 1), (3, 4)}
    # S = {(0, 0), (1, 1), (2, 1)}: 2 of A are sure and, without P, 2 possible: 1 - (2 + 2) / (4 + 3)
    sure = {(0, 0), (1, 1), (2, 1)}
    assert math.isclose(alignment_error_rate(weights, sure), 1 - 4 / 7)
    # P adds (1, 2) and (3, 3): 3 of A possible.
    assert math.isclose(alignment_error_rate(weights, sure, {(1, 2), (3, 3)}), 1 - 5 / 7)
    # The same with the sure links written into P as well.
    assert math.isclose(alignment_error_rate(weights, sure, sure | {(1, 2), (3, 3)}), 1 - 5 / 7)


def test_alignment_error_rate_at_its_ends():
    weights = pointing(3, 0, 1)
    assert alignment_error_rate(weights, {(0, 3), (1, 0), (2, 1)}) == 0
    assert alignment_error_rate(weights, {(3, 0), (0, 1), (1, 2)}) == 1  # source and target exchanged
    assert alignment_error_rate(weights, set(), {(0, 3), (1, 0), (2, 1)}) == 0  # nothing sure, all possible
    assert alignment_error_rate(weights, set()) == 1


def test_a_word_with_two_links_and_a_word_with_none():
    # Target word 0 has two sure links and finds one, word 1 has none and points anyway: 1 - (1 + 1) / (2 + 2)
    assert alignment_error_rate(pointing(1, 4), {(0, 1), (0, 2)}) == 0.5


def test_the_first_source_word_wins_a_tie(device):
    weights = torch.tensor([[0.25, 0.25, 0.25, 0.25], [0.1, 0.4, 0.4, 0.1]], device=device)
    assert alignment_error_rate(weights, frozenset({(0, 0), (1, 1)})) == 0


def test_alignment_error_rate_without_words():
    assert alignment_error_rate(torch.zeros(0, 3), set()) == 0
    assert alignment_error_rate(torch.zeros(0, 0), set(), {(0, 0)}) == 0
    assert alignment_error_rate(torch.zeros(0, 3), {(0, 1)}) == 1


def test_alignment_error_rate_is_a_number_and_changes_nothing():
    weights, sure, possible = pointing(1, 0).requires_grad_(), {(0, 1)}, {(1, 0)}
    assert isinstance(alignment_error_rate(weights, sure, possible), float)
    assert isinstance(alignment_error_rate(torch.zeros(0, 3), set()), float)
    assert sure == {(0, 1)}
    assert possible == {(1, 0)}


# --- one step of the decoder ------------------------------------------------------------------------------------


@pytest.mark.parametrize("masked", [False, True])
def test_decoder_step_is_torchs_attention_and_torchs_cell(generator, masked):
    cell = nn.GRUCell(D_Q + D, D).double()
    word, hidden, keys = draw(generator, BATCH, D_Q), draw(generator, BATCH, D), draw(generator, BATCH, LENGTH, D)
    mask = torch.arange(LENGTH) < LENGTHS.unsqueeze(1) if masked else None
    after, weights = decoder_step(
        word, hidden, keys, mask, dot_score, lambda x, state: gru_cell(x, state, *cell.parameters())
    )
    query, torch_mask = hidden.unsqueeze(1), None if mask is None else mask.unsqueeze(1)
    context = F.scaled_dot_product_attention(query, keys, keys, torch_mask, scale=1.0)[:, 0]
    assert_close(after, cell(torch.cat([word, context], dim=-1), hidden))
    assert_close((weights.unsqueeze(1) @ keys)[:, 0], context)


def test_decoder_step_by_hand():
    """The first word is seen alone: the state, 2, is compared with the keys 100 and 0."""
    read = []
    after, weights = decoder_step(
        torch.tensor([[7.0]]),
        torch.tensor([[2.0]]),
        torch.tensor([[[100.0], [0.0]]]),
        None,
        dot_score,
        lambda x, hidden: read.append(x) or 2 * hidden,
    )
    assert read[0].tolist() == [[7.0, 100.0]]
    assert after.tolist() == [[4.0]]
    assert weights.tolist() == [[1.0, 0.0]]


# --- errors -----------------------------------------------------------------------------------------------------

QUERY, KEYS, MASK = torch.zeros(4, 3), torch.zeros(4, 6, 3), torch.ones(4, 6, dtype=torch.bool)


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        (dot_score, (QUERY[:, :2], KEYS), r"keys: expected shape \(4, length, 2\), got \(4, 6, 3\)"),
        (dot_score, (QUERY[0], KEYS), r"query: expected shape \(batch, d\), got \(3,\)"),
        (dot_score, (QUERY[:1], KEYS), r"keys: expected shape \(1, length, 3\)"),
        (
            additive_score,
            (QUERY, KEYS, torch.zeros(3, 7), torch.zeros(7, 3), torch.zeros(7)),
            "w_query: expected shape",
        ),
        (additive_score, (QUERY, KEYS, torch.zeros(7, 3), torch.zeros(6, 3), torch.zeros(7)), "w_key: expected shape"),
        (
            additive_score,
            (QUERY, KEYS[0], torch.zeros(7, 3), torch.zeros(7, 3), torch.zeros(7)),
            r"keys: expected shape \(4, length, d_k\), got \(6, 3\)",
        ),
        (reverse_sequences, (KEYS[..., 0], LENGTHS), r"x: expected shape \(batch, length, d\), got \(4, 6\)"),
        (reverse_sequences, (KEYS, LENGTHS[:3]), r"lengths: expected shape \(4,\), got \(3,\)"),
        (reverse_sequences, (KEYS, LENGTHS + 1), r"lengths: expected values from 0 to length = 6, got \[7, 2, 5, 4\]"),
        (reverse_sequences, (KEYS, LENGTHS - 2), "lengths: expected values from 0 to length = 6"),
        (reverse_sequences, (KEYS, LENGTHS.float()), "lengths: expected dtype torch.int64, got torch.float32"),
        (additive_score, (QUERY, KEYS, torch.zeros(7, 3), torch.zeros(7, 3), torch.zeros(1, 7)), "v: expected shape"),
        (attend, (KEYS[..., 0], KEYS[:, :5]), r"values: expected shape \(4, 6, d\), got \(4, 5, 3\)"),
        (attend, (KEYS, KEYS), r"scores: expected shape \(batch, length\)"),
        (attend, (MASK.long(), KEYS), "scores: expected a floating dtype"),
        (attend, (KEYS[..., 0], KEYS, MASK.float()), "mask: expected dtype torch.bool"),
        (attend, (KEYS[..., 0], KEYS, MASK[:, :5]), r"mask: .* broadcasts to \(4, 6\), got \(4, 5\)"),
        (
            decoder_step,
            (QUERY, QUERY, KEYS, None, dot_score, lambda x, hidden: hidden[:1]),
            r"hidden returned by cell: expected shape \(4, 3\), got \(1, 3\)",
        ),
        (alignment_error_rate, (KEYS, set()), r"weights: expected shape \(target_length, source_length\)"),
        (alignment_error_rate, (torch.zeros(2, 0), set()), "weights: expected at least one source word"),
    ],
)
def test_errors_name_argument_expected_and_got(function, arguments, message):
    with pytest.raises(ValueError, match=message):
        function(*arguments)
