"""Unit 04 against torch, against numbers worked by hand, and against what attention must not depend on."""

import math

import pytest
import torch
from torch.nn import functional as F
from torch.testing import assert_close

from transformer_course.scaled_dot_product_attention import (
    attention_weights,
    scaled_dot_product_attention,
    softmax,
)

# All different, so that no transposed or mistaken dimension goes unseen.
BATCH, HEADS, QUERY_LENGTH, KEY_LENGTH, D_K, D_V = 2, 3, 5, 7, 4, 6


@pytest.fixture
def generator() -> torch.Generator:
    return torch.Generator().manual_seed(0)


@pytest.fixture
def inputs(generator):
    def draw(*shape):
        return torch.randn(*shape, generator=generator, dtype=torch.float64)

    leading = (BATCH, HEADS)
    return draw(*leading, QUERY_LENGTH, D_K), draw(*leading, KEY_LENGTH, D_K), draw(*leading, KEY_LENGTH, D_V)


def test_softmax_by_hand():
    # e^0 : e^ln2 : e^ln3 = 1 : 2 : 3
    weights = softmax(torch.tensor([0.0, math.log(2), math.log(3)], dtype=torch.float64))
    assert_close(weights, torch.tensor([1 / 6, 2 / 6, 3 / 6], dtype=torch.float64))


def test_softmax_equals_torch_forward_and_backward(generator):
    scores = torch.randn(BATCH, QUERY_LENGTH, KEY_LENGTH, generator=generator, dtype=torch.float64)
    upstream = torch.randn(scores.shape, generator=generator, dtype=torch.float64)
    ours, theirs = scores.clone().requires_grad_(), scores.clone().requires_grad_()
    assert_close(softmax(ours), F.softmax(theirs, dim=-1))
    softmax(ours).backward(upstream)
    F.softmax(theirs, dim=-1).backward(upstream)
    assert_close(ours.grad, theirs.grad)


@pytest.mark.parametrize("magnitude", [1e4, -1e4])
def test_softmax_is_stable_for_large_scores(magnitude):
    scores = torch.tensor([magnitude, magnitude - math.log(3), magnitude], dtype=torch.float64)
    expected = torch.tensor([3 / 7, 1 / 7, 3 / 7], dtype=torch.float64)
    assert_close(softmax(scores), expected, rtol=1e-10, atol=1e-11)  # 1e4 - ln 3 itself is rounded to 2e-12


def test_softmax_of_a_row_without_any_score_is_zero_with_a_finite_gradient():
    scores = torch.tensor([[-math.inf, -math.inf, -math.inf], [0.0, -math.inf, 0.0]], requires_grad=True)
    weights = softmax(scores)
    assert weights.tolist() == [[0.0, 0.0, 0.0], [0.5, 0.0, 0.5]]
    (weights * torch.tensor([1.0, 2.0, 4.0])).sum().backward()
    assert_close(scores.grad, torch.tensor([[0.0, 0.0, 0.0], [-0.75, 0.0, 0.75]]))


@pytest.mark.parametrize("shape", [(1,), (3, 1), (0, 4), (4, 0)])
def test_softmax_edge_shapes(shape):
    weights = softmax(torch.zeros(shape))
    assert weights.shape == shape
    assert_close(weights, F.softmax(torch.zeros(shape), dim=-1))


def test_weights_by_hand():
    # One query (2, 0), d_k = 2: scores 2 ln2 / sqrt2 * (1, 0) = (sqrt2 ln2, 0).
    query = torch.tensor([[2.0, 0.0]], dtype=torch.float64)
    key = torch.tensor([[math.log(2), 9.0], [0.0, -7.0]], dtype=torch.float64)
    first = 2 ** math.sqrt(2) / (2 ** math.sqrt(2) + 1)
    assert_close(attention_weights(query, key), torch.tensor([[first, 1 - first]], dtype=torch.float64))


@pytest.mark.parametrize("masked", [False, True])
def test_attention_equals_torch_forward_and_backward(inputs, generator, masked):
    mask = None
    if masked:
        mask = torch.rand(BATCH, 1, QUERY_LENGTH, KEY_LENGTH, generator=generator) < 0.6
        mask[..., 0] = True  # torch and we agree on empty rows too, but their gradient is tested on its own below
    upstream = torch.randn(BATCH, HEADS, QUERY_LENGTH, D_V, generator=generator, dtype=torch.float64)
    ours = [x.clone().requires_grad_() for x in inputs]
    theirs = [x.clone().requires_grad_() for x in inputs]
    output, weights = scaled_dot_product_attention(*ours, mask=mask)
    expected = F.scaled_dot_product_attention(*theirs, attn_mask=mask)
    assert_close(output, expected)
    assert weights.shape == (BATCH, HEADS, QUERY_LENGTH, KEY_LENGTH)
    assert_close(weights @ inputs[2], expected)
    output.backward(upstream)
    expected.backward(upstream)
    for mine, other in zip(ours, theirs, strict=True):
        assert_close(mine.grad, other.grad)


def test_both_derivatives_against_finite_differences(inputs):
    query, key, value = (x[0, 0].clone().requires_grad_() for x in inputs)
    mask = torch.ones(QUERY_LENGTH, KEY_LENGTH, dtype=torch.bool).tril()
    mask[2] = False  # a query that may attend to nothing
    for check in (torch.autograd.gradcheck, torch.autograd.gradgradcheck):  # the maximum has no gradient, twice neither
        assert check(lambda q, k, v: scaled_dot_product_attention(q, k, v, mask), (query, key, value))


def test_a_query_with_nothing_to_attend_to_gets_zeros_and_hurts_nobody(inputs):
    query, key, value = (x.clone().requires_grad_() for x in inputs)
    mask = torch.ones(BATCH, HEADS, QUERY_LENGTH, KEY_LENGTH, dtype=torch.bool)
    mask[1, 2, 3] = False
    output, weights = scaled_dot_product_attention(query, key, value, mask)
    assert output[1, 2, 3].tolist() == [0.0] * D_V
    assert weights[1, 2, 3].tolist() == [0.0] * KEY_LENGTH
    output.sum().backward()
    assert all(x.grad.isfinite().all() for x in (query, key, value))


def test_a_masked_key_changes_nothing_not_even_gradients(inputs):
    query, key, value = inputs
    mask = torch.ones(QUERY_LENGTH, KEY_LENGTH, dtype=torch.bool)
    mask[:, 4] = False
    before, _ = scaled_dot_product_attention(query, key, value, mask)
    key, value = key.clone(), value.clone()
    key[..., 4, :] += 100
    value[..., 4, :] -= 100
    key.requires_grad_()
    after, _ = scaled_dot_product_attention(query, key, value, mask)
    assert torch.equal(before, after)
    after.sum().backward()
    assert key.grad[..., 4, :].abs().max() == 0


def test_order_of_keys_does_not_matter_order_of_queries_carries_over(inputs, generator):
    query, key, value = inputs
    keys = torch.randperm(KEY_LENGTH, generator=generator)
    queries = torch.randperm(QUERY_LENGTH, generator=generator)
    output, weights = scaled_dot_product_attention(query, key, value)
    shuffled, shuffled_weights = scaled_dot_product_attention(
        query[..., queries, :], key[..., keys, :], value[..., keys, :]
    )
    assert_close(shuffled, output[..., queries, :])
    assert_close(shuffled_weights, weights[..., queries, :][..., keys])


def test_inputs_are_not_modified(inputs):
    mask = torch.ones(QUERY_LENGTH, KEY_LENGTH, dtype=torch.bool).tril()
    copies = [x.clone() for x in (*inputs, mask)]
    scaled_dot_product_attention(*inputs, mask)
    softmax(inputs[0])
    assert all(torch.equal(x, copy) for x, copy in zip((*inputs, mask), copies, strict=True))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_result_has_the_dtype_of_the_inputs(inputs, dtype, device):
    output, weights = scaled_dot_product_attention(*(x.to(device, dtype) for x in inputs))
    assert output.dtype == weights.dtype == dtype
    assert output.device.type == weights.device.type == device.type


QUERY, KEY, VALUE = torch.zeros(2, 5, 4), torch.zeros(2, 7, 4), torch.zeros(2, 7, 6)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((QUERY, KEY[..., :3], VALUE), "key: expected d_k = 4 as in query, got 3"),
        ((QUERY, KEY, VALUE[:, :6]), "value: expected key_length = 7 rows as in key, got 6"),
        ((QUERY.long(), KEY, VALUE), "query: expected a floating dtype, got torch.int64"),
        ((QUERY.double(), KEY, VALUE), "key: expected dtype torch.float64 as in query, got torch.float32"),
        ((QUERY[0, 0], KEY, VALUE), r"query: expected at least 2 dimension\(s\), got shape \(4,\)"),
        ((QUERY[..., :0], KEY[..., :0], VALUE), "query: expected d_k of at least 1, got 0"),
        ((QUERY, KEY.expand(3, 2, 7, 4)[:, :1].expand(3, 4, 7, 4), VALUE), "key: expected leading dimensions"),
        ((QUERY, KEY[:1], VALUE[:1].expand(3, -1, -1)), r"value: expected leading dimensions .* \(2,\), got \(3,\)"),
        ((QUERY, KEY, VALUE, torch.ones(5, 7)), "mask: expected dtype torch.bool .* got torch.float32"),
        ((QUERY, KEY, VALUE, torch.ones(7, 5, dtype=torch.bool)), r"mask: .* broadcasts to \(2, 5, 7\), got \(7, 5\)"),
        ((QUERY, KEY, VALUE, torch.ones(3, 1, 5, 7, dtype=torch.bool)), "mask: expected a shape that broadcasts"),
    ],
)
def test_errors_name_argument_expected_and_got(arguments, message):
    with pytest.raises(ValueError, match=message):
        scaled_dot_product_attention(*arguments)


@pytest.mark.parametrize("scores", [torch.tensor(1.0), torch.tensor([1, 2])])
def test_softmax_refuses_what_is_no_row_of_scores(scores):
    with pytest.raises(ValueError, match="scores: expected"):
        softmax(scores)
