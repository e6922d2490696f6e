"""Unit 05 against autograd, finite differences, torch's attention, and numbers worked by hand."""

import math

import pytest
import torch
from torch.autograd.functional import jacobian
from torch.nn import functional as F
from torch.testing import assert_close

from transformer_course.softmax_jacobian import (
    attention_backward,
    dot_product_variance,
    softmax_jacobian,
    softmax_vjp,
)

# All different, so that no transposed or mistaken dimension goes unseen.
BATCH, HEADS, QUERY_LENGTH, KEY_LENGTH, D_K, D_V = 2, 3, 5, 7, 4, 6


@pytest.fixture
def generator() -> torch.Generator:
    return torch.Generator().manual_seed(0)


@pytest.fixture
def draw(generator):
    return lambda *shape: torch.randn(*shape, generator=generator, dtype=torch.float64)


def test_jacobian_by_hand():
    # softmax(0, ln 9 / 3 * 3) = (1/10, 9/10): diagonal p (1 - p), off it -p q, all divided by the scale 3.
    scores = torch.tensor([0.0, 3 * math.log(9)], dtype=torch.float64)
    expected = torch.tensor([[0.09, -0.09], [-0.09, 0.09]], dtype=torch.float64) / 3
    assert_close(softmax_jacobian(scores, scale=3.0), expected)


@pytest.mark.parametrize("scale", [0.5, 1.0, math.sqrt(D_K), 30])
def test_jacobian_equals_autograd(draw, scale):
    scores = draw(KEY_LENGTH)
    assert_close(softmax_jacobian(scores, scale), jacobian(lambda x: F.softmax(x / scale, dim=-1), scores))


def test_scale_is_1_if_not_given(draw):
    scores = draw(KEY_LENGTH)
    assert_close(softmax_jacobian(scores), jacobian(lambda x: F.softmax(x, dim=-1), scores))


def test_jacobian_of_a_stack_is_the_stack_of_jacobians(draw):
    scores = draw(BATCH, HEADS, KEY_LENGTH)
    matrices = softmax_jacobian(scores, 2.0)
    assert matrices.shape == (BATCH, HEADS, KEY_LENGTH, KEY_LENGTH)
    for i in range(BATCH):
        for j in range(HEADS):
            expected = jacobian(lambda x: F.softmax(x / 2.0, dim=-1), scores[i, j])
            assert_close(matrices[i, j], expected)


def test_jacobian_facts(draw):
    matrices = softmax_jacobian(3 * draw(QUERY_LENGTH, KEY_LENGTH))
    assert_close(matrices, matrices.transpose(-2, -1))
    assert_close(matrices.sum(dim=-1), torch.zeros(QUERY_LENGTH, KEY_LENGTH, dtype=torch.float64))
    assert torch.linalg.eigvalsh(matrices).min() > -1e-15  # positive semidefinite, up to rounding
    assert matrices.max() <= 0.25


def test_jacobian_of_hidden_scores_is_zero():
    scores = torch.tensor([[0.0, -math.inf, 0.0], [-math.inf] * 3], dtype=torch.float64)
    first = torch.tensor([[0.25, 0, -0.25], [0, 0, 0], [-0.25, 0, 0.25]], dtype=torch.float64)
    assert_close(softmax_jacobian(scores), torch.stack([first, torch.zeros(3, 3, dtype=torch.float64)]))


def test_jacobian_is_stable_for_large_scores():
    scores = torch.tensor([1e4, 1e4, -1e4], dtype=torch.float64)
    expected = torch.tensor([[0.25, -0.25, 0], [-0.25, 0.25, 0], [0, 0, 0]], dtype=torch.float64)
    assert_close(softmax_jacobian(scores), expected)


def test_jacobian_can_be_differentiated_again(draw):
    assert torch.autograd.gradcheck(lambda x: softmax_jacobian(x, 1.5), draw(2, 3).requires_grad_())


@pytest.mark.parametrize("shape", [(1,), (3, 1), (0, 4), (4, 0)])
def test_jacobian_edge_shapes(shape):
    assert_close(softmax_jacobian(torch.zeros(shape)).sum(), torch.tensor(0.0))
    assert softmax_jacobian(torch.zeros(shape)).shape == (*shape, shape[-1])


@pytest.mark.parametrize("shape", [(KEY_LENGTH,), (QUERY_LENGTH, KEY_LENGTH), (BATCH, HEADS, 1, KEY_LENGTH), (3, 1)])
def test_vjp_equals_autograd(draw, shape):
    scores, upstream = draw(*shape).requires_grad_(), draw(*shape)
    weights = F.softmax(scores, dim=-1)
    (expected,) = torch.autograd.grad(weights, scores, upstream)
    assert_close(softmax_vjp(weights.detach(), upstream), expected)


def test_vjp_by_hand():
    # The average of g under p is 0.2 * 1 + 0.8 * 6 = 5, so the result is p * (g - 5).
    weights, upstream = torch.tensor([0.2, 0.8]), torch.tensor([1.0, 6.0])
    assert_close(softmax_vjp(weights, upstream), torch.tensor([-0.8, 0.8]))


def test_vjp_of_a_row_of_zeros_is_zero():
    assert softmax_vjp(torch.zeros(2, 3), torch.ones(2, 3)).tolist() == [[0.0] * 3] * 2


def test_vjp_can_be_differentiated_again(draw):
    inputs = F.softmax(draw(2, 3), dim=-1).requires_grad_(), draw(2, 3).requires_grad_()
    assert torch.autograd.gradcheck(softmax_vjp, inputs)


@pytest.mark.parametrize("d_k", [1, 8, 200])
def test_variance_of_dot_products_is_d_k(d_k, generator):
    num_samples = 4000
    variance = dot_product_variance(d_k, num_samples, generator)
    assert isinstance(variance, float)
    # The excess kurtosis of q . k is 6 / d_k, so this is the standard error of a variance, times four.
    assert abs(variance / d_k - 1) < 4 * math.sqrt((2 + 6 / d_k) / num_samples)


def test_variance_is_drawn_from_the_generator():
    first, again = (dot_product_variance(5, 50, torch.Generator().manual_seed(3)) for _ in range(2))
    before = torch.get_rng_state()
    other = dot_product_variance(5, 50, torch.Generator().manual_seed(4))
    assert first == again != other
    assert torch.equal(torch.get_rng_state(), before)
    torch.manual_seed(5)
    globally = dot_product_variance(5, 50)
    torch.manual_seed(5)
    assert dot_product_variance(5, 50) == globally


def test_variances_of_products_scatter_more_than_those_of_one_factor():
    # With d_k = 1 the variance of n products is wrong by sqrt(8 / n), by the kurtosis; that of n keys by sqrt(2 / n).
    generator = torch.Generator().manual_seed(7)
    variances = torch.tensor([dot_product_variance(1, 400, generator) for _ in range(400)])
    assert 5 < 400 * variances.var() < 12


def test_variance_of_few_samples_is_the_unbiased_one():
    # Two samples a and b: (a - b)^2 / 2; its mean over many draws is d_k, where a division by 2 would give d_k / 2.
    generator = torch.Generator().manual_seed(6)
    mean = sum(dot_product_variance(4, 2, generator) for _ in range(3000)) / 3000
    assert abs(mean / 4 - 1) < 0.15  # the relative standard error is sqrt((2 + 2 + 6 / 4) / 2 / 3000) < 0.04


@pytest.mark.parametrize(
    "leading",
    [
        ((), (), ()),
        ((BATCH, HEADS), (BATCH, HEADS), (BATCH, HEADS)),
        ((BATCH, HEADS), (), (HEADS,)),
        ((), (BATCH, 1), (1, HEADS)),
    ],
)
@pytest.mark.parametrize("scale", [1.0, math.sqrt(D_K), 0.7])
def test_attention_backward_equals_autograd(draw, leading, scale):
    shapes = (QUERY_LENGTH, D_K), (KEY_LENGTH, D_K), (KEY_LENGTH, D_V)
    inputs = [draw(*first, *last).requires_grad_() for first, last in zip(leading, shapes, strict=True)]
    # torch's attention multiplies by its scale where the course divides.
    stack = torch.broadcast_shapes(*leading)
    output = F.scaled_dot_product_attention(*(x.expand(*stack, *x.shape[-2:]) for x in inputs), scale=1 / scale)
    upstream = draw(*output.shape)
    expected = torch.autograd.grad(output, inputs, upstream)
    for mine, theirs in zip(attention_backward(*inputs, upstream, scale), expected, strict=True):
        assert_close(mine.detach(), theirs)


def test_attention_backward_against_finite_differences(draw):
    query, key, value, upstream = draw(2, 3), draw(4, 3), draw(4, 5), draw(2, 5)
    step = 1e-6

    def loss(tensors):
        q, k, v = tensors
        return (F.softmax(q @ k.T / 1.3, dim=-1) @ v * upstream).sum()

    gradients = attention_backward(query, key, value, upstream, 1.3)
    for which, gradient in enumerate(gradients):
        for place in [(0, 0), (1, 2)]:
            up, down = ([x.clone() for x in (query, key, value)] for _ in range(2))
            up[which][place] += step
            down[which][place] -= step
            slope = (loss(up) - loss(down)) / (2 * step)
            assert_close(gradient[place], slope, rtol=1e-6, atol=1e-8)  # what a step of 1e-6 leaves in float64


def test_attention_backward_of_a_single_key_trains_only_the_value(draw):
    query, key, value, upstream = draw(3, 2), draw(1, 2), draw(1, 4), draw(3, 4)
    grad_query, grad_key, grad_value = attention_backward(query, key, value, upstream, 1.0)
    assert grad_query.abs().max() < 1e-15  # the weight is 1 whatever the score
    assert grad_key.abs().max() < 1e-15
    assert_close(grad_value, upstream.sum(dim=0, keepdim=True))


def test_attention_backward_without_any_query_gives_zeros(draw):
    gradients = attention_backward(draw(0, D_K), draw(KEY_LENGTH, D_K), draw(KEY_LENGTH, D_V), draw(0, D_V), 1.0)
    assert [tuple(x.shape) for x in gradients] == [(0, D_K), (KEY_LENGTH, D_K), (KEY_LENGTH, D_V)]
    assert all((x == 0).all() for x in gradients)


def test_attention_backward_records_no_graph_of_its_own_and_works_without_autograd(draw):
    inputs = draw(5, 4), draw(7, 4), draw(7, 6), draw(5, 6)
    with torch.no_grad():
        gradients = attention_backward(*inputs, 2.0)
    assert not any(x.requires_grad for x in gradients)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32, torch.float64])
def test_dtype_and_device_follow_the_inputs(draw, dtype, device):
    def place(*shape):
        return draw(*shape).to(device, dtype)

    results = [
        softmax_jacobian(place(3), 2.0),
        softmax_vjp(place(3), place(3)),
        *attention_backward(place(5, 4), place(7, 4), place(7, 6), place(5, 6), 2.0),
    ]
    assert all(x.dtype == dtype and x.device.type == device.type for x in results)


def test_inputs_are_not_modified(draw):
    inputs = draw(5, 4), draw(7, 4), draw(7, 6), draw(5, 6)
    copies = [x.clone() for x in inputs]
    attention_backward(*inputs, 2.0)
    softmax_jacobian(inputs[0], 2.0)
    softmax_vjp(inputs[0], inputs[0])
    assert all(torch.equal(x, copy) for x, copy in zip(inputs, copies, strict=True))


Q, K, V, G = torch.zeros(2, 5, 4), torch.zeros(2, 7, 4), torch.zeros(2, 7, 6), torch.zeros(2, 5, 6)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: softmax_jacobian(torch.tensor(1.0)), r"scores: expected at least 1 dimension"),
        (lambda: softmax_jacobian(torch.tensor([1, 2])), "scores: expected a floating dtype, got torch.int64"),
        (lambda: softmax_jacobian(Q, 0.0), "scale: expected a positive number, got 0.0"),
        (lambda: softmax_jacobian(Q, math.nan), "scale: expected a positive number, got nan"),
        (lambda: softmax_jacobian(Q, math.inf), "scale: expected a positive number, got inf"),
        (lambda: softmax_vjp(Q, K), r"grad_weights: expected shape \(2, 5, 4\) .* in weights, got \(2, 7, 4\)"),
        (lambda: softmax_vjp(Q, Q[0]), "grad_weights: expected shape"),
        (lambda: softmax_vjp(Q, Q.double()), "grad_weights: expected .* and dtype torch.float32 as in weights"),
        (lambda: softmax_vjp(Q.long(), Q), "weights: expected a floating dtype"),
        (lambda: softmax_vjp(torch.tensor(1.0), torch.tensor(1.0)), "weights: expected at least 1 dimension"),
        (lambda: dot_product_variance(0), "d_k: expected an integer of at least 1, got 0"),
        (lambda: dot_product_variance(4.0), "d_k: expected an integer of at least 1, got 4.0"),
        (lambda: dot_product_variance(4, 1), "num_samples: expected at least 2, got 1"),
        (lambda: attention_backward(Q, K[..., :3], V, G, 2.0), "key: expected d_k = 4 as in query, got 3"),
        (lambda: attention_backward(Q, K, V[:, :6], G, 2.0), "value: expected key_length = 7 rows as in key, got 6"),
        (lambda: attention_backward(Q, K, V, G[..., :5], 2.0), r"grad_output: .* \(2, 5, 6\), got \(2, 5, 5\)"),
        (lambda: attention_backward(Q, K, V, G[0], 2.0), r"grad_output: .* \(2, 5, 6\), got \(5, 6\)"),
        (lambda: attention_backward(Q, K, V, G.double(), 2.0), "grad_output: expected dtype torch.float32"),
        (lambda: attention_backward(Q, K, V.double(), G, 2.0), "value: expected dtype torch.float32 as in key"),
        (lambda: attention_backward(Q, K, V[:1].expand(3, 7, 6), G, 1.0), "value: expected leading dimensions"),
        (lambda: attention_backward(Q, K[:1], V[:1].expand(3, 7, 6), G, 1.0), "value: expected leading dimensions"),
        (lambda: attention_backward(Q, K, V, G, -1.0), "scale: expected a positive number, got -1.0"),
    ],
)
def test_errors_name_argument_expected_and_got(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_what_the_errata_say_of_the_jacobian_by_the_dot_products(generator):
    def compare(num_keys, d_k):
        query = torch.randn(200, 1, d_k, generator=generator)
        products = (query @ torch.randn(200, num_keys, d_k, generator=generator).mT).squeeze(1).double()
        plain, divided = softmax_jacobian(products), softmax_jacobian(products, scale=math.sqrt(d_k))
        norms = torch.stack([plain, divided]).flatten(2).norm(dim=-1)  # (2, draws)
        return (divided.abs() > plain.abs()).double().mean(), norms.mean(dim=1), norms.median(dim=1).values

    larger, means, medians = compare(64, 64)
    assert larger > 0.9
    assert means.tolist() == pytest.approx([0.2, 0.02], rel=0.25)
    assert medians[1] < medians[0]
    for num_keys, d_k in ((8, 256), (64, 512)):  # beyond the width at which the medians cross
        _, means, medians = compare(num_keys, d_k)
        assert means[1] < means[0]
        assert medians[1] > medians[0]
