"""Unit 01 against torch's cross entropy, against numbers worked by hand, and against enumeration."""

import itertools
import math

import pytest
import torch
from torch.nn import functional as F
from torch.testing import assert_close

from transformer_course.common.tokens import BOS, EOS, PAD
from transformer_course.sequence_transduction import (
    label_smoothing_loss,
    pad_sequences,
    sequence_log_probability,
    teacher_forcing_pair,
)

BATCH, LENGTH, VOCAB_SIZE = 3, 5, 7


@pytest.fixture
def generator() -> torch.Generator:
    return torch.Generator().manual_seed(0)


@pytest.fixture
def logits(generator):
    return torch.randn(BATCH, LENGTH, VOCAB_SIZE, generator=generator, dtype=torch.float64)


@pytest.fixture
def labels():
    return torch.tensor([[4, 6, 3, 5, EOS], [3, EOS, PAD, PAD, PAD], [6, 6, 1, EOS, PAD]])


def test_padding_fills_up_on_the_right():
    padded = pad_sequences([[5, 6, 7], [8], [], [9, 4]])
    assert padded.dtype == torch.long
    assert padded.tolist() == [[5, 6, 7], [8, 0, 0], [0, 0, 0], [9, 4, 0]]


def test_padding_takes_another_id_and_leaves_the_lists_alone():
    sequences = [[1], [2, 3]]
    assert pad_sequences(sequences, pad_id=-1).tolist() == [[1, -1], [2, 3]]
    assert sequences == [[1], [2, 3]]


@pytest.mark.parametrize(("sequences", "shape"), [([], (0, 0)), ([[]], (1, 0)), ([[], []], (2, 0)), ([[7]], (1, 1))])
def test_padding_of_next_to_nothing(sequences, shape):
    padded = pad_sequences(sequences)
    assert padded.shape == shape
    assert padded.dtype == torch.long


@pytest.mark.parametrize("wrong", [[[1], [2.5]], [[1], [[2]]], [["a"]], [[None]]])
def test_padding_refuses_what_is_no_token_id(wrong):
    with pytest.raises(ValueError, match="sequences: expected integers in each list, got"):
        pad_sequences(wrong)


def test_decoder_reads_the_word_before_the_one_it_shall_say():
    target = torch.tensor([[BOS, 5, 6, EOS], [BOS, 7, EOS, PAD], [BOS, 8, 9, 4]])  # the last row has no EOS
    decoder_input, labels = teacher_forcing_pair(target)
    assert decoder_input.tolist() == [[BOS, 5, 6], [BOS, 7, EOS], [BOS, 8, 9]]
    assert labels.tolist() == [[5, 6, EOS], [7, EOS, PAD], [8, 9, 4]]


def test_a_target_of_bos_alone_and_a_batch_of_none():
    assert [x.shape for x in teacher_forcing_pair(torch.tensor([[BOS], [BOS]]))] == [(2, 0), (2, 0)]
    assert [x.shape for x in teacher_forcing_pair(torch.zeros(0, 4, dtype=torch.long))] == [(0, 3), (0, 3)]


@pytest.mark.parametrize(
    ("target", "message"),
    [
        (torch.tensor([BOS, 5]), r"target: expected shape \(batch, length\), got \(2,\)"),
        (torch.tensor([[1.0, 5.0]]), "target: expected dtype torch.int64, got torch.float32"),
        (torch.tensor([[BOS, 5], [5, EOS]]), "target: expected BOS = 1 in front of each row, got 5 in row 1"),
        (torch.zeros(2, 0, dtype=torch.long), "target: expected a length of at least 1"),
    ],
)
def test_teacher_forcing_refuses(target, message):
    with pytest.raises(ValueError, match=message):
        teacher_forcing_pair(target)


def test_log_probability_by_hand():
    # P = 1/2 * 1/4 for the first sentence; the second is 3/4 and padding, whose logits must not count.
    half, quarter = math.log(2), math.log(3)
    logits = torch.tensor(
        [[[0.0, half, 0.0], [quarter, 0.0, -math.inf]], [[0.0, quarter, -math.inf], [9.0, -9.0, 5.0]]],
        dtype=torch.float64,
    )
    labels = torch.tensor([[1, 1], [1, PAD]])
    expected = torch.tensor([math.log(1 / 8), math.log(3 / 4)], dtype=torch.float64)
    assert_close(sequence_log_probability(logits, labels), expected)


@pytest.mark.parametrize("pad_id", [PAD, 6, -100])
def test_log_probability_equals_torch_forward_and_backward(logits, labels, pad_id):
    labels = torch.where(labels == PAD, pad_id, labels)
    ours, theirs = logits.clone().requires_grad_(), logits.clone().requires_grad_()
    result = sequence_log_probability(ours, labels, pad_id)
    expected = -F.cross_entropy(theirs.transpose(1, 2), labels, reduction="none", ignore_index=pad_id).sum(dim=1)
    assert_close(result, expected)
    upstream = torch.tensor([1.0, -2.0, 0.5], dtype=torch.float64)
    result.backward(upstream)
    expected.backward(upstream)
    assert_close(ours.grad, theirs.grad)


def test_probabilities_of_all_sentences_add_up_to_1(generator):
    """A model by table: the logits depend on the word before; every sentence up to 4 tokens, ended or cut."""
    vocab_size, max_length = 4, 4
    table = torch.randn(vocab_size, vocab_size, generator=generator, dtype=torch.float64)
    table[:, PAD] = -math.inf  # a model that never says PAD
    sentences = []
    for length in range(1, max_length + 1):
        for words in itertools.product((1, 3), repeat=length - 1):
            lasts = (EOS,) if length < max_length else (1, EOS, 3)
            sentences += [[*words, last] for last in lasts]
    labels = pad_sequences(sentences)
    before = torch.cat([torch.full((len(sentences), 1), BOS), labels[:, :-1]], dim=1)
    log_probability = sequence_log_probability(table[before], labels)
    assert len(sentences) == 1 + 2 + 4 + 8 * 3
    assert_close(log_probability.exp().sum(), torch.tensor(1.0, dtype=torch.float64))


def test_log_probability_of_no_words_is_zero():
    assert sequence_log_probability(torch.zeros(3, 0, 5), torch.zeros(3, 0, dtype=torch.long)).tolist() == [0.0] * 3
    assert sequence_log_probability(torch.zeros(0, 2, 5), torch.zeros(0, 2, dtype=torch.long)).shape == (0,)


@pytest.mark.parametrize("pad_id", [PAD, 6, -100])
@pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.5, 1.0])
def test_loss_equals_torch_forward_and_backward(logits, labels, smoothing, pad_id):
    labels = torch.where(labels == PAD, pad_id, labels)
    ours, theirs = logits.clone().requires_grad_(), logits.clone().requires_grad_()
    result = label_smoothing_loss(ours, labels, smoothing, pad_id)
    expected = F.cross_entropy(theirs.flatten(0, 1), labels.flatten(), label_smoothing=smoothing, ignore_index=pad_id)
    assert result.shape == ()
    assert_close(result, expected)
    result.backward()
    expected.backward()
    assert_close(ours.grad, theirs.grad)


def test_loss_by_hand():
    # Uniform over 4 words: every label costs ln 4, whatever the smoothing.
    assert_close(label_smoothing_loss(torch.zeros(2, 4), torch.tensor([1, 3])), torch.tensor(math.log(4)))
    # Probabilities 1/2, 1/4, 1/4, label 1, smoothing 0.3: targets .1, .8, .1, so .1 ln 2 + .8 ln 4 + .1 ln 4 = 1.9 ln 2
    logits = torch.tensor([math.log(2), 0.0, 0.0], dtype=torch.float64)
    loss = label_smoothing_loss(logits, torch.tensor(1), smoothing=0.3)
    assert_close(loss, torch.tensor(1.9 * math.log(2), dtype=torch.float64))


@pytest.mark.parametrize("leading", [(), (4,), (2, 3), (2, 1, 3), (0, 3)])
def test_loss_takes_any_leading_shape(leading, generator):
    logits = torch.randn(*leading, VOCAB_SIZE, generator=generator, dtype=torch.float64)
    labels = torch.randint(1, VOCAB_SIZE, leading, generator=generator)
    loss = label_smoothing_loss(logits, labels)
    if labels.numel() == 0:
        assert loss == 0
    else:
        flat = F.cross_entropy(logits.reshape(-1, VOCAB_SIZE), labels.reshape(-1), label_smoothing=0.1)
        assert_close(loss, flat)


def test_more_padding_does_not_change_the_loss(logits, labels):
    more = torch.cat([labels, torch.full((BATCH, 2), PAD)], dim=1)
    longer = torch.cat([logits, torch.full((BATCH, 2, VOCAB_SIZE), 50.0, dtype=torch.float64)], dim=1)
    assert_close(label_smoothing_loss(longer, more), label_smoothing_loss(logits, labels))


def test_padding_alone_gives_a_zero_that_is_attached(logits):
    logits = logits.clone().requires_grad_()
    loss = label_smoothing_loss(logits, torch.full((BATCH, LENGTH), PAD))
    assert loss.item() == 0
    loss.backward()
    assert torch.equal(logits.grad, torch.zeros_like(logits))


def test_an_impossible_word_costs_nothing_without_smoothing():
    logits = torch.tensor([[0.0, 0.0, -math.inf]])
    assert_close(label_smoothing_loss(logits, torch.tensor([1]), smoothing=0.0), torch.tensor(math.log(2)))
    assert label_smoothing_loss(logits, torch.tensor([1]), smoothing=0.1) == math.inf


@pytest.mark.parametrize("label", [0, 1])
def test_an_impossible_word_costs_everything_where_every_word_counts(label):
    # Even labels over three words, whatever the label says; torch's own function gives NaN for the impossible one.
    logits = torch.tensor([[-math.inf, 0.0, 0.0]])
    assert label_smoothing_loss(logits, torch.tensor([label]), smoothing=1.0, pad_id=-100) == math.inf


def test_large_logits_stay_finite():
    logits = torch.tensor([[1e4, -1e4, 0.0]], requires_grad=True)
    loss = label_smoothing_loss(logits, torch.tensor([1]), smoothing=0.0)
    assert_close(loss, torch.tensor(2e4))
    loss.backward()
    assert_close(logits.grad, torch.tensor([[1.0, -1.0, 0.0]]))


def test_inputs_are_not_modified(logits, labels):
    before = logits.clone(), labels.clone()
    teacher_forcing_pair(torch.cat([torch.full((BATCH, 1), BOS), labels], dim=1))
    sequence_log_probability(logits, labels)
    label_smoothing_loss(logits, labels)
    assert torch.equal(logits, before[0])
    assert torch.equal(labels, before[1])


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_result_has_dtype_and_device_of_the_logits(logits, labels, dtype, device):
    logits, labels = logits.to(device, dtype), labels.to(device)
    for result in (sequence_log_probability(logits, labels), label_smoothing_loss(logits, labels)):
        assert result.dtype == dtype
        assert result.device.type == device.type
        assert result.isfinite().all()


LOGITS, LABELS = torch.zeros(3, 5, 7), torch.zeros(3, 5, dtype=torch.long)


@pytest.mark.parametrize("function", [sequence_log_probability, label_smoothing_loss])
@pytest.mark.parametrize(
    ("logits", "labels", "message"),
    [
        (LOGITS, LABELS[:, :4], r"labels: expected shape \(3, 5\), got \(3, 4\)"),
        (LOGITS.long(), LABELS, "logits: expected a floating dtype, got torch.int64"),
        (LOGITS, LABELS.float(), "labels: expected dtype torch.int64, got torch.float32"),
        (LOGITS, LABELS + 7, "labels: expected words from 0 to 6 or padding, got 7"),
        (LOGITS, LABELS - 1, "labels: expected words from 0 to 6 or padding, got -1"),
        (LOGITS[..., :0], LABELS, "logits: expected vocab_size of at least 1, got 0"),
    ],
)
def test_errors_name_argument_expected_and_got(function, logits, labels, message):
    with pytest.raises(ValueError, match=message):
        function(logits, labels)


def test_errors_of_one_function_only():
    with pytest.raises(ValueError, match=r"logits: expected shape \(batch, length, vocab_size\), got \(5, 7\)"):
        sequence_log_probability(LOGITS[0], LABELS[0])
    with pytest.raises(ValueError, match="logits: expected at least 1 dimension"):
        label_smoothing_loss(torch.tensor(1.0), torch.tensor(0))
    for smoothing in (-0.1, 1.5):
        with pytest.raises(ValueError, match=f"smoothing: expected a share from 0 to 1, got {smoothing}"):
            label_smoothing_loss(LOGITS, LABELS, smoothing)
