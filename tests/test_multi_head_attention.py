"""Unit 07 against ``nn.MultiheadAttention``, against einsum, and against what heads must not do."""

import copy

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from drawings.separate_heads import separate_heads
from transformer_course import multi_head_attention as unit
from transformer_course.common.torch_names import torch_state_dict
from transformer_course.multi_head_attention import (
    MultiHeadAttention,
    attention_flops,
    fused_attention,
    merge_heads,
    parameter_count,
    split_heads,
)

# All different, so that no transposed or mistaken dimension goes unseen; d_model = 3 * 4.
BATCH, HEADS, QUERY_LENGTH, KEY_LENGTH, D_K, D_MODEL = 2, 3, 5, 7, 4, 12


@pytest.fixture
def generator() -> torch.Generator:
    return torch.Generator().manual_seed(0)


@pytest.fixture
def attention(generator) -> MultiHeadAttention:
    return randomised(MultiHeadAttention(D_MODEL, HEADS).double(), generator)


@pytest.fixture
def inputs(generator):
    def draw(length):
        return torch.randn(BATCH, length, D_MODEL, generator=generator, dtype=torch.float64)

    return draw(QUERY_LENGTH), draw(KEY_LENGTH), draw(KEY_LENGTH)


@pytest.fixture
def mask(generator):
    mask = torch.rand(BATCH, HEADS, QUERY_LENGTH, KEY_LENGTH, generator=generator) < 0.6
    mask[..., 0] = True
    return mask


def randomised(module, generator):
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator, dtype=torch.float64) * 0.4)
    return module


def torch_attention(attention: MultiHeadAttention) -> nn.MultiheadAttention:
    theirs = nn.MultiheadAttention(attention.d_model, attention.num_heads, batch_first=True).double()
    theirs.load_state_dict(torch_state_dict(attention))
    return theirs


def gradients(output, inputs, parameters, upstream):
    return torch.autograd.grad(output, (*inputs, *parameters), upstream)


def test_split_by_hand():
    x = torch.arange(2 * 3 * 4).view(2, 3, 4)
    heads = split_heads(x, num_heads=2)
    assert heads.shape == (2, 2, 3, 2)
    # Sentence 1, head 1, word 2: the last two of the last four numbers.
    assert heads[1, 1, 2].tolist() == [22, 23]
    assert heads[0, :, 1].tolist() == [[4, 5], [6, 7]]


@pytest.mark.parametrize("shape", [(2, 5, 12), (1, 1, 3), (0, 4, 6), (3, 0, 6)])
def test_merge_undoes_split(shape, generator):
    x = torch.randn(shape, generator=generator)
    assert torch.equal(merge_heads(split_heads(x, 3)), x)
    assert torch.equal(split_heads(x.transpose(0, 1), 3), split_heads(x.transpose(0, 1).contiguous(), 3))


@pytest.mark.parametrize("need_weights", [True, False])
@pytest.mark.parametrize("masked", [False, True])
def test_equals_torch_forward_and_backward(attention, inputs, mask, generator, need_weights, masked):
    mask = mask if masked else None
    theirs = torch_attention(attention)
    their_mask = None if mask is None else ~mask.flatten(0, 1)  # torch: True = may not, and heads in the batch
    ours = [x.clone().requires_grad_() for x in inputs]
    others = [x.clone().requires_grad_() for x in inputs]
    output, weights = attention(*ours, mask=mask, need_weights=need_weights)
    expected, expected_weights = theirs(*others, attn_mask=their_mask, average_attn_weights=False)
    assert_close(output, expected)
    if need_weights:
        assert_close(weights, expected_weights)
    else:
        assert weights is None
    upstream = torch.randn(output.shape, generator=generator, dtype=torch.float64)
    names = ("w_query", "w_key", "w_value")
    our_parameters = [getattr(attention, name).weight for name in names] + [getattr(attention, n).bias for n in names]
    mine = gradients(output, ours, (*our_parameters, *attention.w_output.parameters()), upstream)
    other = gradients(
        expected, others, (theirs.in_proj_weight, theirs.in_proj_bias, *theirs.out_proj.parameters()), upstream
    )
    assert_close(mine[:3], other[:3])
    assert_close(torch.cat(mine[3:6]), other[3])
    assert_close(torch.cat(mine[6:9]), other[4])
    assert_close(mine[9:], other[5:])


def test_equals_einsum_with_a_head_axis_of_its_own(attention, inputs):
    query, key, value = inputs
    weight = {
        name: getattr(attention, name).weight.view(HEADS, D_K, D_MODEL) for name in ("w_query", "w_key", "w_value")
    }
    bias = {name: getattr(attention, name).bias.view(HEADS, 1, D_K) for name in ("w_query", "w_key", "w_value")}
    q, k, v = (
        torch.einsum("bld,hkd->bhlk", x, weight[name]) + bias[name]
        for name, x in (("w_query", query), ("w_key", key), ("w_value", value))
    )
    weights = (torch.einsum("bhmk,bhnk->bhmn", q, k) / D_K**0.5).softmax(-1)
    heads = torch.einsum("bhmn,bhnk->bhmk", weights, v)
    w_output = attention.w_output.weight.view(D_MODEL, HEADS, D_K)
    expected = torch.einsum("bhmk,dhk->bmd", heads, w_output) + attention.w_output.bias
    output, own_weights = attention(query, key, value)
    assert_close(output, expected)
    assert_close(own_weights, weights)


@pytest.mark.parametrize("bias", [True, False])
def test_separate_heads_are_the_same_computation(inputs, mask, generator, bias):
    attention = randomised(MultiHeadAttention(D_MODEL, HEADS, bias=bias).double(), generator)
    parts = separate_heads(attention)
    assert sum(p.numel() for p in parts.parameters()) == sum(p.numel() for p in attention.parameters())
    together, apart = ([x.clone().requires_grad_() for x in inputs] for _ in range(2))
    output, weights = attention(*together, mask=mask)
    output_apart, weights_apart = parts(*apart, mask=mask)
    assert_close(output_apart, output)
    assert_close(weights_apart, weights)
    upstream = torch.randn(output.shape, generator=generator, dtype=torch.float64)
    output.backward(upstream)
    output_apart.backward(upstream)
    assert_close([x.grad for x in apart], [x.grad for x in together])
    for name in ("w_query", "w_key", "w_value"):
        for parameter, whole in getattr(attention, name).named_parameters():
            blocks = [getattr(head, name).get_parameter(parameter).grad for head in parts.heads]
            assert_close(torch.cat(blocks), whole.grad)
    assert_close(parts.w_output.weight.grad, attention.w_output.weight.grad)
    assert_close(parts(*inputs)[0], attention(*inputs)[0])


@pytest.mark.parametrize("need_weights", [True, False])
@pytest.mark.parametrize("lengths", [(QUERY_LENGTH, KEY_LENGTH), (1, 1), (3, 0), (0, 2)])
def test_a_query_with_nothing_to_attend_to_gets_the_bias(attention, generator, need_weights, lengths):
    query, key, value = (
        torch.randn(BATCH, length, D_MODEL, generator=generator, dtype=torch.float64, requires_grad=True)
        for length in (lengths[0], lengths[1], lengths[1])
    )
    mask = torch.ones(BATCH, 1, *lengths, dtype=torch.bool)
    mask[1, :, :1] = False
    output, _ = attention(query, key, value, mask, need_weights)
    assert output.shape == (BATCH, lengths[0], D_MODEL)
    if lengths[0] > 0:
        assert_close(output[1, 0], attention.w_output.bias)
    output.sum().backward()
    everything = [query.grad, key.grad, value.grad, *(p.grad for p in attention.parameters())]
    assert all(gradient.isfinite().all() for gradient in everything)
    if lengths[0] > 0:
        assert query.grad[1, 0].abs().max() == 0


def test_guard_for_kernels_that_promise_nothing_about_empty_rows(generator, mask, monkeypatch):
    def careless(query, key, value, attn_mask):
        scores = query @ key.mT / D_K**0.5
        return scores.masked_fill(~attn_mask, -torch.inf).softmax(dim=-1) @ value  # NaN for an empty row

    mask[1, 2, 3] = False
    shape = (BATCH, HEADS, QUERY_LENGTH, D_K)
    query = torch.randn(shape, generator=generator, dtype=torch.float64, requires_grad=True)
    key = torch.randn(BATCH, HEADS, KEY_LENGTH, D_K, generator=generator, dtype=torch.float64, requires_grad=True)
    value = torch.randn(BATCH, HEADS, KEY_LENGTH, D_K, generator=generator, dtype=torch.float64, requires_grad=True)
    inputs = (query, key, value)
    assert careless(query, key, value, mask).isnan().any()
    monkeypatch.setattr(unit.F, "scaled_dot_product_attention", careless)
    for each in (mask, mask[:, :1], mask[1, 2, 3]):  # the last: a row of nothing, for all
        each = each[(None,) * (4 - each.dim())]
        guarded = unit._attention_with_guarded_rows(*inputs, each)
        expected, _ = unit.scaled_dot_product_attention(*inputs, each)
        assert_close(guarded, expected)
        upstream = guarded.detach().cos()
        assert_close(*(torch.autograd.grad(output, inputs, upstream) for output in (guarded, expected)))


def test_the_guard_is_for_devices_whose_kernels_are_not_known(monkeypatch):
    guarded = []
    monkeypatch.setattr(unit, "_attention_with_guarded_rows", lambda *inputs: guarded.append(inputs))
    query, key, value = (torch.ones(1, 1, length, D_K) for length in (QUERY_LENGTH, KEY_LENGTH, KEY_LENGTH))
    mask = torch.ones(QUERY_LENGTH, KEY_LENGTH, dtype=torch.bool)
    assert fused_attention(query, key, value, mask).shape == query.shape
    assert guarded == []
    elsewhere = [x.to("meta") for x in (query, key, value, mask)]
    fused_attention(*elsewhere)
    assert [[x is y for x, y in zip(inputs, elsewhere[:3], strict=False)] for inputs in guarded] == [[True] * 3]


@pytest.mark.parametrize("shape", [(), (KEY_LENGTH,), (QUERY_LENGTH, 1), (HEADS, 1, KEY_LENGTH), (BATCH, 1, 1, 1)])
def test_every_broadcastable_mask_works_on_both_paths(attention, inputs, shape, generator):
    mask = torch.rand(shape, generator=generator) < 0.5
    slow, weights = attention(*inputs, mask=mask)
    fast, _ = attention(*inputs, mask=mask, need_weights=False)
    full = mask.expand(BATCH, HEADS, QUERY_LENGTH, KEY_LENGTH)
    theirs = nn.functional.scaled_dot_product_attention(
        *(split_heads(w(x), HEADS) for w, x in zip(list(attention.children())[:3], inputs, strict=True)), attn_mask=full
    )
    assert_close(slow, attention.w_output(merge_heads(theirs)))
    assert_close(fast, slow)
    assert weights[~full].abs().sum() == 0


@pytest.mark.parametrize("need_weights", [True, False])
@pytest.mark.parametrize("masked", [False, True])
def test_is_causal_hides_what_comes_later_beside_the_mask(attention, generator, masked, need_weights):
    x = torch.randn(BATCH, QUERY_LENGTH, D_MODEL, generator=generator, dtype=torch.float64)
    mask = torch.rand(BATCH, 1, 1, QUERY_LENGTH, generator=generator) < 0.6 if masked else None
    causal = torch.ones(QUERY_LENGTH, QUERY_LENGTH, dtype=torch.bool).tril()
    query, key, value = (split_heads(w(x), HEADS) for w in list(attention.children())[:3])
    theirs = nn.functional.scaled_dot_product_attention(
        query, key, value, attn_mask=(causal & mask if masked else causal).expand(BATCH, HEADS, -1, -1)
    )
    output, weights = attention(x, x, x, mask, need_weights, is_causal=True)
    assert_close(output, attention.w_output(merge_heads(theirs)))
    if need_weights:
        assert weights[..., ~causal].abs().max() == 0


def test_the_causal_kernel_is_taken_when_asked_for_and_never_guessed(generator, monkeypatch):
    flags = []
    kernel = nn.functional.scaled_dot_product_attention

    def recorded(*args, **kwargs):
        flags.append(kwargs.get("is_causal", False))
        return kernel(*args, **kwargs)

    monkeypatch.setattr(unit.F, "scaled_dot_product_attention", recorded)
    # As long as the length from which a mask was once compared with the causal one.
    q = torch.randn(1, 1, 512, D_K, generator=generator)
    causal = torch.ones(512, 512, dtype=torch.bool).tril()
    real = torch.ones(512, dtype=torch.bool)
    outputs = [fused_attention(q, q, q, *how) for how in ((None, True), (causal,), (causal, True), (real, True))]
    assert flags == [True, False, False, False]
    for output in outputs[1:]:
        assert_close(output, outputs[0])


def test_a_head_sees_every_column_of_the_input(attention, inputs):
    # Columns are cut after the projection: head 0 depends on all of them.
    query = inputs[0].clone().requires_grad_()
    _, weights = attention(query, *inputs[1:])
    (gradient,) = torch.autograd.grad(weights[:, 0].square().sum(), query)
    assert (gradient.abs().amax(dim=(0, 1)) > 0).all()


def test_sentences_do_not_mix(attention, inputs):
    together, _ = attention(*inputs)
    alone = [attention(*(x[i : i + 1] for x in inputs))[0] for i in range(BATCH)]
    assert_close(together, torch.cat(alone))


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("num_heads", [1, 2, 4, 8])
def test_parameter_count_is_what_torch_counts(num_heads, bias):
    theirs = nn.MultiheadAttention(24, num_heads, bias=bias)
    expected = sum(parameter.numel() for parameter in theirs.parameters())
    assert parameter_count(24, num_heads, bias) == expected
    ours = MultiHeadAttention(24, num_heads, bias)
    assert sum(parameter.numel() for parameter in ours.parameters()) == expected
    assert (ours.d_model, ours.num_heads, ours.d_k) == (24, num_heads, 24 // num_heads)


@pytest.mark.parametrize(("m", "n"), [(5, 7), (1, 1), (0, 4)])
def test_flops_are_what_the_profiler_of_torch_counts(m, n):
    from torch.utils.flop_counter import FlopCounterMode

    counter = FlopCounterMode(display=False)
    attention = MultiHeadAttention(D_MODEL, HEADS, bias=False)
    with counter:
        attention(torch.zeros(1, m, D_MODEL), torch.zeros(1, n, D_MODEL), torch.zeros(1, n, D_MODEL))
    assert 2 * attention_flops(m, n, D_MODEL, HEADS) == counter.get_total_flops()


def test_initial_weights_keep_the_variance():
    torch.manual_seed(0)
    attention = MultiHeadAttention(256, 4)
    x = torch.randn(8, 64, 256)
    for projection in attention.children():
        assert projection.bias.abs().max() == 0
        assert projection.weight.abs().max() <= (6 / (256 + 256)) ** 0.5
        assert 0.95 < projection(x).var().item() < 1.05  # 131,072 values: a spread of 0.004, and that of the weights


def test_state_and_inputs_stay_as_they_are(attention, inputs, mask):
    before = copy.deepcopy((inputs, mask, attention.state_dict()))
    attention(*inputs, mask=mask)
    attention(*inputs, mask=mask, need_weights=False)
    after = (inputs, mask, attention.state_dict())
    assert all(torch.equal(a, b) for a, b in zip(before[0], after[0], strict=True))
    assert torch.equal(before[1], after[1])
    assert all(torch.equal(a, b) for a, b in zip(before[2].values(), after[2].values(), strict=True))


@pytest.mark.parametrize("need_weights", [True, False])
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32])
def test_device_and_dtype_follow_the_inputs(device, dtype, need_weights):
    attention = MultiHeadAttention(D_MODEL, HEADS).to(device, dtype)
    x = torch.ones(BATCH, QUERY_LENGTH, D_MODEL, device=device, dtype=dtype)
    output, _ = attention(x, x, x, torch.ones(1, device=device, dtype=torch.bool), need_weights)
    assert (output.dtype, output.device.type) == (dtype, device.type)


X, Y = torch.zeros(2, 5, 12), torch.zeros(2, 7, 12)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((X[0], Y, Y), r"query: expected shape \(batch, length, 12\), got \(5, 12\)"),
        ((X, Y[..., :9], Y), r"key: expected shape \(batch, length, 12\), got \(2, 7, 9\)"),
        ((X, Y, Y[:, :6]), "value: expected key_length = 7 as in key, got 6"),
        ((X, Y[:1], Y[:1]), "key: expected batch = 2 as in query, got 1"),
        ((X, Y.long(), Y), "key: expected a floating dtype, got torch.int64"),
        ((X, Y, Y, torch.ones(5, 7)), "mask: expected dtype torch.bool"),
        ((X, Y, Y, torch.ones(2, 5, 7, dtype=torch.bool)), r"mask: .* broadcasts to \(2, 3, 5, 7\), got \(2, 5, 7\)"),
    ],
)
@pytest.mark.parametrize("need_weights", [True, False])
def test_errors_name_argument_expected_and_got(arguments, message, need_weights):
    with pytest.raises(ValueError, match=message):
        MultiHeadAttention(12, 3)(*arguments, need_weights=need_weights)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: MultiHeadAttention(12, 5), "num_heads: expected a divisor of d_model = 12, got 5"),
        (lambda: MultiHeadAttention(12, 0), "num_heads: expected an integer of at least 1, got 0"),
        (lambda: MultiHeadAttention(0, 1), "d_model: expected an integer of at least 1, got 0"),
        (lambda: parameter_count(10, 4), "num_heads: expected a divisor of d_model = 10, got 4"),
        (lambda: attention_flops(5, 7, 10, 4), "num_heads: expected a divisor of d_model = 10, got 4"),
        (lambda: attention_flops(-1, 7, 10, 2), "query_length: expected an integer of at least 0, got -1"),
        (lambda: split_heads(X, 7), "num_heads: expected a divisor of d_model = 12, got 7"),
        (lambda: split_heads(X[0], 3), r"x: expected shape \(batch, length, d_model\), got \(5, 12\)"),
        (
            lambda: fused_attention(X[None], Y[None], Y[None], None, True),
            "is_causal: expected as many keys as queries, 5",
        ),
        (
            lambda: fused_attention(X[None], X[None], X[None], torch.ones(2, 3, dtype=torch.bool), True),
            r"mask: expected a shape that broadcasts to \(1, 2, 5, 5\), got \(2, 3\)",
        ),
        (lambda: fused_attention(X[None], X[None, ..., :3], X[None]), "key: expected d_k = 12 as in query, got 3"),
        (lambda: fused_attention(X[None], X[None], Y[None]), "value: expected key_length = 5 rows as in key, got 7"),
        (
            lambda: MultiHeadAttention(12, 3)(X, Y, Y, is_causal=True),
            "is_causal: expected as many keys as queries, 5, got 7",
        ),
        (
            lambda: MultiHeadAttention(12, 3)(X, X, X, torch.ones(2, 3, dtype=torch.bool), is_causal=True),
            r"mask: expected a shape that broadcasts to \(2, 3, 5, 5\), got \(2, 3\)",
        ),
        (lambda: merge_heads(X), r"x: expected shape \(batch, heads, length, d_k\), got \(2, 5, 12\)"),
    ],
)
def test_functions_refuse_what_does_not_fit(call, message):
    with pytest.raises(ValueError, match=message):
        call()
