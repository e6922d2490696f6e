"""Unit 06 against torch, against loops that spell a mask out, and against leaks from what is hidden."""

import math

import pytest
import torch
from torch.nn import functional as F
from torch.testing import assert_close

from transformer_course.common.tokens import BOS, EOS, PAD
from transformer_course.masking import causal_mask, combine_masks, masked_softmax, padding_mask
from transformer_course.scaled_dot_product_attention import scaled_dot_product_attention

BATCH, HEADS, LENGTH, KEY_LENGTH, D_K, D_V = 2, 3, 5, 7, 4, 6


@pytest.fixture
def draw():
    generator = torch.Generator().manual_seed(0)
    return lambda *shape: torch.randn(*shape, generator=generator, dtype=torch.float64)


def test_padding_mask_by_hand():
    tokens = torch.tensor([[BOS, 9, EOS], [7, PAD, PAD]])
    mask = padding_mask(tokens)
    assert mask.dtype == torch.bool
    assert mask.tolist() == [[[[True, True, True]]], [[[True, False, False]]]]


def test_padding_mask_knows_another_pad_id():
    assert padding_mask(torch.tensor([[0, 8, 0]]), pad_id=8).flatten().tolist() == [True, False, True]


@pytest.mark.parametrize("shape", [(1, 1), (3, 0), (0, 3)])
def test_padding_mask_edge_shapes(shape):
    assert padding_mask(torch.full(shape, PAD)).shape == (shape[0], 1, 1, shape[1])
    assert not padding_mask(torch.full(shape, PAD)).any()


def test_padding_mask_belongs_to_the_sentence_not_to_the_head():
    # As many sentences as heads: a mask that is spread over the wrong dimension fits here, and is wrong.
    tokens = torch.tensor([[5, 6, 7, 8], [5, PAD, PAD, PAD], [5, 6, PAD, PAD]])
    weights = masked_softmax(torch.zeros(3, 3, 2, 4), padding_mask(tokens))
    for sentence, real in enumerate([4, 1, 2]):
        expected = torch.tensor([1 / real] * real + [0.0] * (4 - real))
        assert_close(weights[sentence], expected.expand(3, 2, 4))


@pytest.mark.parametrize("length", [0, 1, 2, LENGTH])
def test_causal_mask_lets_a_position_see_itself_and_the_past(length):
    mask = causal_mask(length)
    assert mask.shape == (length, length)
    assert mask.dtype == torch.bool
    for query in range(length):
        for key in range(length):
            assert mask[query, key] == (key <= query)


def test_causal_mask_is_made_where_it_is_asked_for(device):
    assert causal_mask(3, device=device).device.type == device.type
    assert causal_mask(3, device="meta").device.type == "meta"


def test_combined_masks_are_a_logical_and_with_broadcasting():
    tokens = torch.tensor([[5, 6, 7, 8, 9], [5, 6, PAD, PAD, PAD]])
    combined = combine_masks(padding_mask(tokens), causal_mask(LENGTH))
    assert combined.shape == (BATCH, 1, LENGTH, LENGTH)
    for sentence in range(BATCH):
        for query in range(LENGTH):
            for key in range(LENGTH):
                allowed = tokens[sentence, key] != PAD and key <= query
                assert combined[sentence, 0, query, key] == allowed


def test_combining_ignores_none_and_order():
    row, column = torch.tensor([True, False, True]), torch.tensor([[True], [False]])
    expected = torch.tensor([[True, False, True], [False, False, False]])
    assert torch.equal(combine_masks(row, column), expected)
    assert torch.equal(combine_masks(None, column, None, row), expected)
    assert torch.equal(combine_masks(column, row, row), expected)
    assert torch.equal(combine_masks(row, None), row)
    assert combine_masks(None, None) is None
    assert combine_masks() is None


def test_masked_softmax_equals_torch_forward_and_backward(draw):
    scores, upstream = draw(BATCH, HEADS, LENGTH, LENGTH), draw(BATCH, HEADS, LENGTH, LENGTH)
    mask = causal_mask(LENGTH)
    ours, theirs = scores.clone().requires_grad_(), scores.clone().requires_grad_()
    weights, expected = masked_softmax(ours, mask), F.softmax(theirs.masked_fill(~mask, -math.inf), dim=-1)
    assert_close(weights, expected)
    weights.backward(upstream)
    expected.backward(upstream)
    assert_close(ours.grad, theirs.grad)


def test_masked_softmax_without_mask_is_softmax(draw):
    scores = draw(LENGTH, KEY_LENGTH)
    assert_close(masked_softmax(scores), F.softmax(scores, dim=-1))
    assert_close(masked_softmax(scores, torch.tensor(True)), F.softmax(scores, dim=-1))


def test_masked_softmax_makes_torchs_masked_attention(draw):
    query, key, value = (
        draw(BATCH, HEADS, LENGTH, D_K),
        draw(BATCH, HEADS, KEY_LENGTH, D_K),
        draw(2, 3, KEY_LENGTH, D_V),
    )
    mask = padding_mask(torch.tensor([[5, 6, 7, 8, 9, 10, 11], [5, 6, 7, PAD, PAD, PAD, PAD]]))
    weights = masked_softmax(query @ key.transpose(-2, -1) / math.sqrt(D_K), mask)
    assert_close(weights @ value, F.scaled_dot_product_attention(query, key, value, attn_mask=mask))


def test_a_row_that_may_attend_to_nothing_is_zero_with_a_finite_gradient(draw):
    scores = draw(BATCH, LENGTH, KEY_LENGTH).requires_grad_()
    mask = torch.ones(BATCH, LENGTH, KEY_LENGTH, dtype=torch.bool)
    mask[1, 2] = False
    weights = masked_softmax(scores, mask)
    assert weights[1, 2].tolist() == [0.0] * KEY_LENGTH
    weights.square().sum().backward()
    assert scores.grad.isfinite().all()
    assert scores.grad[1, 2].tolist() == [0.0] * KEY_LENGTH
    assert (scores.grad[0] != 0).all()
    assert torch.autograd.gradcheck(lambda x: masked_softmax(x, mask), scores)
    assert torch.autograd.gradgradcheck(lambda x: masked_softmax(x, mask), scores)


@pytest.mark.parametrize("hidden", [1e4, -1e4, math.inf, math.nan])
def test_nothing_of_a_hidden_score_is_felt(draw, hidden):
    scores = draw(LENGTH, KEY_LENGTH)
    mask = torch.ones(LENGTH, KEY_LENGTH, dtype=torch.bool)
    mask[:, 3] = False
    other = scores.clone()
    other[:, 3] = hidden
    other.requires_grad_()
    weights = masked_softmax(other, mask)
    assert torch.equal(weights, masked_softmax(scores, mask))
    assert weights[:, 3].tolist() == [0.0] * LENGTH
    assert_close(weights.sum(dim=-1), torch.ones(LENGTH, dtype=torch.float64))
    weights.square().sum().backward()
    assert other.grad[:, 3].tolist() == [0.0] * LENGTH
    assert other.grad.isfinite().all()


def test_the_future_does_not_leak_neither_by_value_nor_by_gradient(draw):
    x = draw(LENGTH, D_K)

    def attend(query, key, value):
        return masked_softmax(query @ key.T / math.sqrt(D_K), causal_mask(LENGTH)) @ value

    for position in range(LENGTH):
        # Change everything after the position ...
        later = x.clone()
        later[position + 1 :] += 10
        assert torch.equal(attend(x, later, later)[position], attend(x, x, x)[position])
        # ... and ask how the output at the position depends on keys and values, apart from each other: weights that
        # are set to zero after softmax show no leak through the values, and do leak through the keys.
        for which in (1, 2):
            inputs = [x.clone() for _ in range(3)]
            inputs[which].requires_grad_()
            attend(*inputs)[position].sum().backward()
            assert (inputs[which].grad[position + 1 :] == 0).all()
            if position > 0:
                assert (inputs[which].grad[: position + 1] != 0).all()


def test_padding_on_the_right_needs_no_mask_of_its_own_under_a_causal_mask(draw):
    # Every real position comes before the padding, so the causal mask already hides it.
    real = 3
    query, key, value = draw(LENGTH, D_K), draw(LENGTH, D_K), draw(LENGTH, D_V)
    pad = torch.arange(LENGTH) < real
    both, _ = scaled_dot_product_attention(query, key, value, combine_masks(causal_mask(LENGTH), pad))
    causal_only, _ = scaled_dot_product_attention(query, key, value, causal_mask(LENGTH))
    assert torch.equal(both[:real], causal_only[:real])


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_dtype_and_device_follow_the_scores(draw, dtype, device):
    scores = draw(LENGTH, LENGTH).to(device, dtype)
    weights = masked_softmax(scores, causal_mask(LENGTH, device=device))
    assert weights.dtype == dtype
    assert weights.device.type == device.type
    assert weights.isfinite().all()


def test_inputs_are_not_modified(draw):
    scores, mask, tokens = draw(LENGTH, LENGTH), causal_mask(LENGTH), torch.tensor([[5, PAD, PAD, PAD, PAD]])
    row = padding_mask(tokens)
    copies = [x.clone() for x in (scores, mask, tokens, row)]
    combine_masks(mask, row)
    combine_masks(row, mask)
    masked_softmax(scores, mask)
    assert all(torch.equal(x, copy) for x, copy in zip((scores, mask, tokens, row), copies, strict=True))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: padding_mask(torch.tensor([5, 6])), r"tokens: expected shape \(batch, length\), got \(2,\)"),
        (lambda: padding_mask(torch.zeros(2, 3)), "tokens: expected an integer dtype, got torch.float32"),
        (lambda: padding_mask(torch.ones(2, 3, dtype=torch.bool)), "tokens: expected an integer dtype, got torch.bool"),
        (lambda: causal_mask(-1), "length: expected an integer of at least 0, got -1"),
        (lambda: causal_mask(2.0), "length: expected an integer of at least 0, got 2.0"),
        (lambda: combine_masks(None, torch.ones(2)), r"masks\[1\]: expected dtype torch.bool .* got torch.float32"),
        (lambda: combine_masks(causal_mask(2), [True, False]), r"masks\[1\]: expected a tensor or None, got list"),
        (lambda: combine_masks(causal_mask(2), causal_mask(3)), r"masks\[1\]: .* \(2, 2\), got \(3, 3\)"),
        (lambda: combine_masks(causal_mask(2), torch.ones(2, 2)), r"masks\[1\]: expected dtype torch.bool"),
        (lambda: masked_softmax(torch.zeros(2, 3), torch.ones(2, 3)), "mask: expected dtype torch.bool"),
        (lambda: masked_softmax(torch.zeros(2, 3), causal_mask(2)), r"mask: .* broadcasts to \(2, 3\), got \(2, 2\)"),
        (lambda: masked_softmax(torch.zeros(3, 3), causal_mask(3)[None]), r"mask: .* \(3, 3\), got \(1, 3, 3\)"),
        (lambda: masked_softmax(torch.zeros(3, dtype=torch.long)), "scores: expected a floating dtype"),
        (lambda: masked_softmax(torch.zeros(3).long(), torch.ones(3).bool()), "scores: expected a floating dtype"),
        (lambda: masked_softmax(torch.tensor(0.0)), "scores: expected at least 1 dimension"),
    ],
)
def test_errors_name_argument_expected_and_got(call, message):
    with pytest.raises(ValueError, match=message):
        call()
