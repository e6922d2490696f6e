"""Unit 17 against torch's own attention, autograd, loops over single weights, and numbers by hand."""

import math

import pytest
import torch
from torch.nn import functional as F
from torch.testing import assert_close

from transformer_course.common.memory import Memory
from transformer_course.efficient_attention import (
    blockwise_attention,
    cache_bytes,
    grouped_query_attention,
    linear_attention,
    online_softmax_step,
    sliding_window_mask,
)
from transformer_course.masking import causal_mask

BATCH, HEADS, LENGTH, KEY_LENGTH, D_K, D_V = 2, 6, 5, 7, 4, 3


@pytest.fixture
def draw():
    generator = torch.Generator().manual_seed(0)
    return lambda *shape: torch.randn(*shape, generator=generator, dtype=torch.float64)


def start(*leading, d_v):
    return (
        torch.full((*leading, 1), -math.inf).double(),
        torch.zeros(*leading, 1).double(),
        torch.zeros(*leading, d_v).double(),
    )


def through(scores, values, blocks):
    """Take the keys in blocks of these sizes."""
    state, at = start(*scores.shape[:-1], d_v=values.shape[-1]), 0
    for size in blocks:
        state = online_softmax_step(state, scores[..., at : at + size], values[..., at : at + size, :])
        at += size
    return state


@pytest.mark.parametrize("blocks", [[7], [1] * 7, [3, 4], [2, 0, 5], [6, 1]])
def test_blocks_in_any_size_give_softmax_over_all(draw, blocks):
    scores, values = 20 * draw(2, 3, 7), draw(2, 3, 7, D_V)
    scores[0, 0, :4] = -math.inf
    scores[0, 1] += 1e4
    maximum, total, output = through(scores, values, blocks)
    weights = torch.softmax(scores, -1)
    assert_close(output, (weights.unsqueeze(-1) * values).sum(-2))
    assert_close(maximum + total.log(), scores.logsumexp(-1, keepdim=True))


def test_every_state_is_the_attention_to_what_has_been_seen(draw):
    scores, values = draw(7), draw(7, D_V)
    for seen in range(1, 8):
        assert_close(through(scores, values, [1] * seen)[2], torch.softmax(scores[:seen], 0) @ values[:seen])


def test_a_block_that_is_hidden_changes_nothing(draw):
    scores, values = draw(3, 4), draw(3, 4, D_V)
    hidden = torch.full((3, 4), -math.inf).double()
    before = through(scores, values, [4])
    for state in (
        online_softmax_step(before, hidden, values),
        through(torch.cat([hidden, scores], -1), torch.cat([values, values], -2), [4, 4]),
    ):
        for part, expected in zip(state, before, strict=True):
            assert_close(part, expected)
    nothing = through(hidden, values, [4])
    assert nothing[0].eq(-math.inf).all()
    assert not nothing[1].any()
    assert not nothing[2].any()


MASKS = {
    "none": lambda draw: None,
    "random": lambda draw: draw(BATCH, 1, LENGTH, KEY_LENGTH) > -0.3,
    "keys": lambda draw: draw(BATCH, 1, 1, KEY_LENGTH) > -0.3,
    "queries": lambda draw: draw(LENGTH, 1) > 0,
    "nothing": lambda draw: torch.zeros(LENGTH, KEY_LENGTH, dtype=torch.bool),
}


@pytest.mark.parametrize("block_size", [1, 3, 7, 100])
@pytest.mark.parametrize("mask", MASKS)
def test_blockwise_attention_is_attention_forward_and_backward(draw, block_size, mask):
    query, key, value = draw(BATCH, 3, LENGTH, D_K), draw(BATCH, 3, KEY_LENGTH, D_K), draw(BATCH, 3, KEY_LENGTH, D_V)
    mask = MASKS[mask](draw)
    upstream = draw(BATCH, 3, LENGTH, D_V)
    found, expected = [], []
    for results, attend in (
        (found, lambda q, k, v: blockwise_attention(q, k, v, mask, block_size)),
        (expected, lambda q, k, v: _by_torch(q, k, v, mask)),
    ):
        leaves = [x.clone().requires_grad_() for x in (query, key, value)]
        output = attend(*leaves)
        results += [output.detach(), *torch.autograd.grad(output, leaves, upstream)]
    for ours, theirs in zip(found, expected, strict=True):
        assert_close(ours, theirs)


def _by_torch(query, key, value, mask):
    """Attention by torch; a query that may attend to nothing is computed without a mask and then set to 0."""
    if mask is None:
        return F.scaled_dot_product_attention(query, key, value)
    mask = mask.expand(*query.shape[:-1], key.shape[-2])
    empty = ~mask.any(-1, keepdim=True)
    return F.scaled_dot_product_attention(query, key, value, attn_mask=mask | empty).masked_fill(empty, 0.0)


def test_blockwise_attention_broadcasts_and_passes_gradcheck(draw):
    query, key, value = draw(2, 3, 4, D_K), draw(3, 5, D_K), draw(1, 5, D_V)
    assert_close(
        blockwise_attention(query, key, value, block_size=2), F.scaled_dot_product_attention(query, key, value)
    )
    leaves = [x.requires_grad_() for x in (query[:1, :1], key[:1], value)]
    assert torch.autograd.gradcheck(lambda *x: blockwise_attention(*x, block_size=2), leaves)


def most_bytes(length: int) -> int:
    """Count what lives at once while the attention of a text, and its gradient, are computed in blocks of 64."""
    inputs = [torch.randn(1, length, 32, requires_grad=True) for _ in range(3)]
    with Memory(*inputs) as memory:
        blockwise_attention(*inputs, block_size=64).sum().backward()
    return memory.peak


def test_the_memory_of_a_long_text_grows_with_its_length_and_not_with_its_map():
    short, long = most_bytes(512), most_bytes(2048)
    assert long == pytest.approx(4 * short, rel=0.01)
    assert long < 4 * 2048 * 2048  # one map in float32; the backward pass of plain attention needs several


@pytest.mark.parametrize("groups", [1, 2, 3, 6])
def test_grouped_queries_are_heads_with_repeated_keys(draw, groups):
    query, key, value = (
        draw(BATCH, 6, LENGTH, D_K),
        draw(BATCH, groups, KEY_LENGTH, D_K),
        draw(BATCH, groups, KEY_LENGTH, D_V),
    )
    mask = draw(BATCH, 6, LENGTH, KEY_LENGTH) > -0.5
    mask[..., 0] = True
    repeated = [x.repeat_interleave(6 // groups, dim=1) for x in (key, value)]
    expected = F.scaled_dot_product_attention(query, *repeated, attn_mask=mask)
    assert_close(grouped_query_attention(query, key, value, mask), expected)
    assert_close(grouped_query_attention(query, key, value), F.scaled_dot_product_attention(query, *repeated))
    nothing = grouped_query_attention(query, key, value, torch.zeros(1, dtype=torch.bool))
    assert not nothing.any()


@pytest.mark.parametrize(("length", "window"), [(0, 1), (1, 3), (6, 1), (6, 2), (6, 9)])
def test_a_window_by_its_definition(length, window):
    for i in range(length):
        for j in range(length):
            assert sliding_window_mask(length, window)[i, j] == (i - window < j <= i)
            assert sliding_window_mask(length, window, causal=False)[i, j] == (abs(i - j) < window)
    assert sliding_window_mask(length, window).shape == (length, length)
    assert torch.equal(sliding_window_mask(length, length + 1), causal_mask(length))
    assert sliding_window_mask(length, window, device="meta").device.type == "meta"


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("length", [0, 1, 64, 65, 150])
def test_linear_attention_spelt_out(draw, causal, length):
    query, key, value = draw(2, length, D_K), draw(2, length, D_K), draw(2, length, D_V)
    weights = (F.elu(query) + 1) @ (F.elu(key) + 1).transpose(-2, -1)
    weights = weights.tril() if causal else weights
    expected = weights / weights.sum(-1, keepdim=True) @ value if length else torch.zeros(2, 0, D_V).double()
    assert_close(linear_attention(query, key, value, causal), expected)


def test_linear_attention_of_other_lengths_of_no_weights_and_of_gradients(draw):
    query, key, value = draw(3, 4, D_K), draw(3, 6, D_K), draw(3, 6, D_V)
    assert linear_attention(query, key, value).shape == (3, 4, D_V)
    assert not linear_attention(query - 1e4, key, value).any()
    assert not linear_attention(query - 1e4, key[:, :4], value[:, :4], causal=True).any()
    leaves = [x.requires_grad_() for x in (query[:1], key[:1, :4], value[:1, :4])]
    assert torch.autograd.gradcheck(lambda *x: linear_attention(*x, causal=True), leaves)


def test_cache_bytes_by_hand():
    assert cache_bytes(1, 32, 32, 128) == 512 * 1024  # Llama 2 7B
    assert cache_bytes(1, 32, 8, 128) == 128 * 1024  # Llama 3 8B
    assert cache_bytes(10, 2, 3, 4, bytes_per_number=4) == 10 * 2 * 3 * 4 * 4 * 2
    assert cache_bytes(10, 2, 3, 4, window=4) == cache_bytes(4, 2, 3, 4)
    assert cache_bytes(3, 2, 3, 4, window=4) == cache_bytes(3, 2, 3, 4)
    assert cache_bytes(0, 2, 3, 4) == 0


X = torch.zeros(2, 4, 5, 3)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: online_softmax_step((X[..., 0, :1],) * 3, X, X), "maximum: expected shape"),
        (lambda: online_softmax_step((X[..., :1], X[..., :1], X), X, X), "values: expected shape"),
        (lambda: blockwise_attention(X, X, X, block_size=0), "block_size"),
        (lambda: blockwise_attention(X, X[..., :2], X), "key: expected d_k = 3"),
        (lambda: blockwise_attention(X, X, X, torch.ones(5, 5)), "mask: expected dtype torch.bool"),
        (lambda: grouped_query_attention(X, X[:, :3], X[:, :3]), "groups: expected a divisor of heads = 4"),
        (lambda: grouped_query_attention(X, X[:, :2], X), "value: expected shape"),
        (lambda: grouped_query_attention(X, X.double(), X), "key: expected"),
        (lambda: grouped_query_attention(X, X, X, torch.ones(3, 5).bool()), "mask: expected a shape"),
        (lambda: sliding_window_mask(4, 0), "window"),
        (lambda: sliding_window_mask(-1, 2), "length"),
        (lambda: linear_attention(X, X[:, :, :4], X[:, :, :4], causal=True), "expected key_length = query_length"),
        (lambda: linear_attention(X, X, X[:, :, :4]), "value: expected key_length"),
        (lambda: cache_bytes(-1, 1, 1, 1), "length"),
        (lambda: cache_bytes(1, 1, 1, 1, window=0), "window"),
    ],
)
def test_wrong_input_is_refused_by_name(wrong, said):
    with pytest.raises(ValueError, match=said):
        wrong()


@pytest.mark.parametrize("causal", [False, True])
def test_linear_attention_is_linear_forward_and_backward(causal):
    made = []
    for length in (640, 1280):
        leaves = [torch.ones(1, length, 4, requires_grad=True) for _ in range(3)]
        with Memory(*leaves) as memory:
            linear_attention(*leaves, causal=causal).sum().backward()
        made.append(memory.made)
    assert made[1] < 2.1 * made[0]  # with slices of the text instead of chunks, the gradients alone make it 3


def test_a_second_derivative_through_blocks_is_refused_and_not_wrong(draw):
    query, key, value = (draw(*shape).requires_grad_() for shape in ((3, D_K), (5, D_K), (5, D_V)))
    output = blockwise_attention(query, key, value, block_size=2)
    for loss in (output.square().sum(), output.sum()):  # of a linear loss autograd alone would just lose it
        with pytest.raises(RuntimeError, match="second one would be wrong"):
            torch.autograd.grad(loss, query, create_graph=True)


def test_blocks_add_up_the_gradients_of_what_was_broadcast(draw):
    inputs = [draw(2, 1, 3, D_K), draw(4, 5, D_K), draw(5, D_V)]
    ours, theirs = ([x.clone().requires_grad_() for x in inputs] for _ in range(2))
    blockwise_attention(*ours, block_size=2).square().sum().backward()
    whole = torch.nn.functional.scaled_dot_product_attention(*(x.expand(2, 4, *x.shape[-2:]) for x in theirs))
    whole.square().sum().backward()
    assert_close([x.grad for x in ours], [x.grad for x in theirs])


def test_half_precision_does_not_stop_adding_up(draw):
    query, key, value = 0.1 * draw(3, D_K), draw(4096, D_K), 1 + draw(4096, D_V)
    right = torch.nn.functional.scaled_dot_product_attention(query, key, value)
    half = [x.bfloat16() for x in (query, key, value)]
    blocks = blockwise_attention(*half, block_size=4)
    assert blocks.dtype == torch.bfloat16
    assert_close(blocks.double(), right, rtol=0.02, atol=0)
    query, key = draw(4096, D_K), draw(4096, D_K)
    for causal in (False, True):
        right = linear_attention(query, key, value, causal)
        half = linear_attention(*(x.bfloat16() for x in (query, key, value)), causal)
        assert half.dtype == torch.bfloat16
        assert_close(half[-64:].double(), right[-64:], rtol=0.02, atol=0)


def test_autocast_changes_neither_the_blocks_nor_their_gradients(draw):
    inputs = [draw(*shape).float() for shape in ((9, D_K), (33, D_K), (33, D_V))]
    found = []
    for enabled in (False, True):
        leaves = [x.clone().requires_grad_() for x in inputs]
        with torch.autocast("cpu", enabled=enabled):
            output = blockwise_attention(*leaves, block_size=4)
        output.square().sum().backward()
        found.append([output.detach(), *(leaf.grad for leaf in leaves)])
    assert_close(*found)


def test_grouped_queries_refuse_two_dtypes(draw):
    query, key = draw(1, 2, 3, D_K), draw(1, 2, 5, D_K)
    with pytest.raises(ValueError, match="value: expected dtype torch.float64 as in query, got torch.float32"):
        grouped_query_attention(query, key, key.float())
    with pytest.raises(ValueError, match="key: expected dtype torch.float64 as in query, got torch.float32"):
        grouped_query_attention(query, key.float(), key)


def test_grouped_queries_have_second_derivatives(draw):
    inputs = [draw(*shape).requires_grad_() for shape in ((1, 4, 2, 2), (1, 2, 3, 2), (1, 2, 3, 2))]
    mask = torch.tensor([[True, False, True], [False, False, False]])
    assert torch.autograd.gradgradcheck(lambda *qkv: grouped_query_attention(*qkv, mask), inputs)


def test_no_text_at_all_gives_no_output(draw):
    query, key = draw(0, 4, 3, D_K), draw(0, 2, 5, D_K)
    assert grouped_query_attention(query, key, key).shape == (0, 4, 3, D_K)
    assert blockwise_attention(query, key[:, :1], key[:, :1], block_size=2).shape == (0, 4, 3, D_K)


@pytest.mark.parametrize("allowed", [True, False])
def test_a_mask_of_one_number_is_for_all(draw, allowed):
    query, key = draw(3, D_K), draw(5, D_K)
    expected = F.scaled_dot_product_attention(query, key, key) if allowed else torch.zeros_like(query)
    assert_close(blockwise_attention(query, key, key, torch.tensor(allowed), block_size=2), expected)
