"""Unit 12 against torch, loops that spell a formula out, and models whose inside is known."""

import math
from types import SimpleNamespace

import pytest
import torch
from torch import nn
from torch.nn import functional as F
from torch.testing import assert_close

from transformer_course.inside_attention import (
    attention_entropy,
    attention_rollout,
    head_alignment_error,
    head_importance,
    head_similarity,
)
from transformer_course.masking import causal_mask, masked_softmax
from transformer_course.multi_head_attention import MultiHeadAttention

BATCH, LAYERS, HEADS, QUERY_LENGTH, KEY_LENGTH, D_MODEL = 2, 4, 3, 5, 7, 6


@pytest.fixture
def draw():
    generator = torch.Generator().manual_seed(0)
    return lambda *shape: torch.randn(*shape, generator=generator, dtype=torch.float64)


@pytest.fixture
def maps(draw):
    return F.softmax(2 * draw(LAYERS, HEADS, QUERY_LENGTH, KEY_LENGTH), dim=-1)


def test_entropy_by_hand():
    weights = torch.tensor(
        [[0.25, 0.25, 0.25, 0.25], [0.5, 0.5, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0], [0.5, 0.25, 0.25, 0]],
        dtype=torch.float64,
    )
    expected = torch.tensor([math.log(4), math.log(2), 0, 0, 1.5 * math.log(2)], dtype=torch.float64)
    assert_close(attention_entropy(weights), expected)


@pytest.mark.parametrize("shape", [(), (BATCH,), (LAYERS, BATCH, HEADS)])
def test_entropy_equals_torchs(draw, shape):
    scores = draw(*shape, QUERY_LENGTH, KEY_LENGTH)
    expected = torch.distributions.Categorical(logits=scores).entropy()
    assert_close(attention_entropy(F.softmax(scores, dim=-1)), expected)


def test_entropy_gradient_is_that_of_the_formula_and_finite_at_zero(draw):
    weights = masked_softmax(draw(QUERY_LENGTH, QUERY_LENGTH), causal_mask(QUERY_LENGTH)).requires_grad_()
    attention_entropy(weights).sum().backward()
    past = causal_mask(QUERY_LENGTH)
    assert_close(weights.grad[past], -weights.detach()[past].log() - 1)
    assert (weights.grad[~past] == 0).all()
    scores = draw(QUERY_LENGTH, KEY_LENGTH).requires_grad_()
    assert torch.autograd.gradcheck(lambda x: attention_entropy(F.softmax(x, dim=-1)), scores)


@pytest.mark.parametrize("shape", [(0, 4), (4, 0), (1, 1), (2, 0, 3)])
def test_entropy_edge_shapes(shape):
    weights = torch.full(shape, 1 / max(shape[-1], 1))
    assert_close(attention_entropy(weights), torch.full(shape[:-1], math.log(max(shape[-1], 1))))


def test_similarity_equals_torchs_cosine(maps):
    similarity = head_similarity(maps)
    assert similarity.shape == (LAYERS, HEADS, HEADS)
    for layer in range(LAYERS):
        for i in range(HEADS):
            for j in range(HEADS):
                one, other = maps[layer, i].flatten(), maps[layer, j].flatten()
                assert_close(similarity[layer, i, j], F.cosine_similarity(one, other, dim=0))


def test_similarity_of_equal_disjoint_and_empty_maps():
    one = torch.tensor([[1.0, 0.0], [1.0, 0.0]])
    maps = torch.stack([one, one, 1 - one, 0 * one])[None].requires_grad_()
    similarity = head_similarity(maps)
    expected = torch.tensor([[1.0, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]])
    assert_close(similarity[0], expected)
    similarity.sum().backward()
    assert maps.grad.isfinite().all()
    assert_close(head_similarity(maps.detach().half())[0], expected.half())  # where 1e-12 is 0


def test_similarity_gradient(draw):
    maps = F.softmax(draw(2, 3, 2, 4), dim=-1).requires_grad_()
    assert torch.autograd.gradcheck(head_similarity, maps)


def test_rollout_equals_a_loop_over_all_paths(draw):
    n = 3
    maps = F.softmax(draw(2, 4, n, n), dim=-1)
    step = [[[0.0] * n for _ in range(n)] for _ in range(2)]
    for layer in range(2):
        for i in range(n):
            row = [sum(maps[layer, h, i, j].item() for h in range(4)) / 4 / 2 + (i == j) / 2 for j in range(n)]
            step[layer][i] = [x / sum(row) for x in row]
    # From position i of the last layer over k of the one below to input j.
    expected = [[sum(step[1][i][k] * step[0][k][j] for k in range(n)) for j in range(n)] for i in range(n)]
    assert_close(attention_rollout(maps), torch.tensor(expected, dtype=torch.float64))


def test_rollout_follows_the_layers_from_the_first_one_up():
    # First layer: position 1 reads position 0. Second layer: position 2 reads position 1. So 2 hears of 0, by halves.
    first, second = torch.eye(3), torch.eye(3)
    first[1] = torch.tensor([1.0, 0, 0])
    second[2] = torch.tensor([0, 1.0, 0])
    up = attention_rollout(torch.stack([first, second])[:, None])
    assert_close(up, torch.tensor([[1, 0, 0], [0.5, 0.5, 0], [0.25, 0.25, 0.5]]))
    down = attention_rollout(torch.stack([second, first])[:, None])
    assert_close(down, torch.tensor([[1, 0, 0], [0.5, 0.5, 0], [0, 0.5, 0.5]]))


def test_rollout_facts(draw):
    maps = masked_softmax(draw(LAYERS, HEADS, KEY_LENGTH, KEY_LENGTH), causal_mask(KEY_LENGTH))
    rollout = attention_rollout(maps)
    assert_close(rollout.sum(dim=-1), torch.ones(KEY_LENGTH, dtype=torch.float64))
    assert (rollout.triu(1) == 0).all()  # causal layers make a causal rollout
    assert_close(attention_rollout(torch.eye(4).expand(3, 2, 4, 4)), torch.eye(4))


def test_rollout_of_rows_of_zeros_keeps_what_was_there(draw):
    maps = F.softmax(draw(LAYERS, HEADS, 4, 4), dim=-1)
    maps[:, :, 2] = 0
    maps.requires_grad_()
    rollout = attention_rollout(maps)
    assert rollout[2].tolist() == [0, 0, 1, 0]
    assert_close(rollout.sum(dim=-1), torch.ones(4, dtype=torch.float64))
    rollout.square().sum().backward()
    assert maps.grad.isfinite().all()
    # Half a row of zeros, in one head only: the row sums to less than 1 before it is renormalised.
    half = torch.zeros(1, 2, 2, 2)
    half[0, 0, 0] = torch.tensor([0.0, 1.0])
    assert_close(attention_rollout(half)[0], torch.tensor([0.5, 0.25]) / 0.75)


def test_rollout_gradient(draw):
    assert torch.autograd.gradcheck(attention_rollout, F.softmax(draw(2, 3, 4, 4), dim=-1).requires_grad_())


def test_rollout_edge_shapes():
    assert_close(attention_rollout(torch.zeros(0, 2, 3, 3)), torch.eye(3))
    assert attention_rollout(torch.zeros(2, 1, 0, 0)).shape == (0, 0)
    assert attention_rollout(torch.ones(2, 1, 1, 1)).tolist() == [[1.0]]


class TwoLayers(nn.Module):
    """Two attentions, one after the other; with ``shared`` it is the same one twice."""

    def __init__(self, shared: bool = False):
        super().__init__()
        self.first = MultiHeadAttention(D_MODEL, HEADS)
        self.second = self.first if shared else MultiHeadAttention(D_MODEL, HEADS)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x + self.first(x, x, x)[0]
        return x + self.second(x, x, x, need_weights=False)[0]


@pytest.fixture
def x(draw):
    return draw(BATCH, QUERY_LENGTH, D_MODEL)


def build(shared: bool = False) -> TwoLayers:
    torch.manual_seed(0)
    model = TwoLayers(shared).double()
    for bias in (model.first.w_output.bias, model.second.w_output.bias):
        nn.init.normal_(bias)  # so that an ablation that takes the bias along is seen
    return model


def score_without(attentions, model, x, index, columns) -> float:
    """Cut a head out of what reaches w_output, by a hook: an ablation that touches no weight."""

    def cut(module, inputs):
        merged = inputs[0].clone()
        merged[..., columns] = 0
        return (merged,)

    handles = [attention.w_output.register_forward_pre_hook(cut) for attention in attentions]
    score = -model(x).square().mean().item()
    for handle in handles:
        handle.remove()
    return score


@pytest.mark.parametrize("shared", [False, True])
def test_importance_equals_cutting_the_head_out_of_the_computation(x, shared):
    model = build(shared)
    before = {name: weight.detach().clone() for name, weight in model.state_dict().items()}
    # Two heads of one attention, one of the other, and one named twice.
    heads = [(model.first, 2), (model.first, 0), (model.second, 1), (model.first, 2)]
    drops = head_importance(heads, lambda: -model(x).square().mean())
    complete = -model(x).square().mean().item()
    d_k = D_MODEL // HEADS
    for (attention, index), drop in zip(heads, drops, strict=True):
        assert isinstance(drop, float)
        columns = slice(index * d_k, (index + 1) * d_k)
        expected = complete - score_without([attention], model, x, index, columns)
        assert_close(drop, expected)
        assert abs(drop) > 1e-4
    assert all(torch.equal(weight, before[name]) for name, weight in model.state_dict().items())


def test_importance_silences_one_of_two_attentions_that_share_a_weight(x):
    model = build()
    model.second.w_output.weight = model.first.w_output.weight
    shared = model.first.w_output.weight
    (drop,) = head_importance([(model.second, 1)], lambda: -model(x).square().mean().item())
    expected = -model(x).square().mean().item() - score_without([model.second], model, x, 1, slice(2, 4))
    assert_close(drop, expected)
    assert model.first.w_output.weight is model.second.w_output.weight is shared


def test_a_head_that_does_nothing_has_no_importance_and_a_harmful_one_a_negative(x):
    model = build()
    with torch.no_grad():
        model.first.w_output.weight[:, 0:2] = 0
    drops = head_importance([(model.first, 0), (model.first, 1)], lambda: -model(x).square().mean().item())
    assert drops[0] == 0
    opposite = head_importance([(model.first, 1)], lambda: model(x).square().mean().item())
    assert_close(opposite[0], -drops[1])


def bits(weight: torch.Tensor) -> torch.Tensor:
    return weight.detach().clone().view(torch.int64)


def test_every_bit_is_what_it_was_also_when_the_evaluation_fails(x):
    model = build()
    weight = model.first.w_output.weight
    with torch.no_grad():
        weight[0] = torch.tensor([-0.0, math.nan, math.inf, 5e-324, -math.inf, 0.0])
    before, version = bits(weight), weight._version
    model.first.w_output.weight.grad = gradient = torch.ones_like(weight)
    calls = []

    def evaluate():
        assert model.first.w_output.weight.requires_grad  # an evaluation may need gradients
        calls.append(model.first.w_output.weight.detach().clone())
        if len(calls) == 3:
            raise KeyboardInterrupt
        return 1.0

    with pytest.raises(KeyboardInterrupt):
        head_importance([(model.first, 0), (model.first, 1), (model.second, 1)], evaluate)
    assert len(calls) == 3
    # The whole model first, then the first head's columns are zero, then the second's only.
    silent = [[(seen[:, 2 * i : 2 * i + 2] == 0).all().item() for i in range(HEADS)] for seen in calls]
    assert silent == [[False, False, False], [True, False, False], [False, True, False]]
    assert model.first.w_output.weight is weight
    assert torch.equal(bits(weight), before)
    assert weight._version == version
    assert weight.grad is gradient
    assert weight.requires_grad


def test_importance_leaves_a_graph_that_was_built_before_usable(x):
    model = build()
    loss = model(x).square().mean()
    head_importance([(model.first, 0)], lambda: -model(x).square().mean().item())
    loss.backward()
    assert all(weight.grad is not None for weight in model.parameters())


def test_importance_of_no_heads_evaluates_nothing():
    assert head_importance([], lambda: pytest.fail("evaluated")) == []


def test_importance_takes_any_attention_of_the_same_form(x):
    stand_in = nn.Module()
    stand_in.num_heads, stand_in.d_k, stand_in.w_output = 2, 3, nn.Linear(6, 4, bias=False)
    with torch.no_grad():
        stand_in.w_output.weight.fill_(1.0)
    drops = head_importance([(stand_in, 1)], lambda: stand_in.w_output(torch.arange(6.0)).sum().item())
    assert drops == [4 * (3 + 4 + 5)]


def test_alignment_error_by_hand():
    # Sentence 1, three words: head 0 finds (0, 0), (1, 1) and a wrong link; head 1 nothing right.
    # Sentence 2, one word against two sure links: head 0 finds one of them; head 1 a possible one.
    first = torch.zeros(1, 2, 3, 4)
    first[0, 0, [0, 1, 2], [0, 1, 0]] = 1
    first[0, 1, :, 3] = 1
    second = torch.zeros(1, 2, 1, 5)
    second[0, 0, 0, 4] = 1
    second[0, 1, 0, 2] = 1
    sure = [{(0, 0), (1, 1), (2, 2)}, {(0, 4), (0, 3)}]
    possible = [set(), {(0, 2)}]
    # Links found 3 + 1, sure 3 + 2. Head 0: sure hits 2 + 1, possible hits the same. Head 1: 0 and 1.
    expected = torch.tensor([[1 - (3 + 3) / (4 + 5), 1 - (0 + 1) / (4 + 5)]])
    assert_close(head_alignment_error([first, second], sure, possible), expected)
    only_sure = torch.tensor([[1 - (3 + 3) / (4 + 5), 1.0]])
    assert_close(head_alignment_error([first, second], sure), only_sure)


def test_alignment_error_of_a_head_stands_at_its_layer_and_head():
    maps = torch.zeros(2, 3, 2, 2)
    maps[..., 0] = 1.0  # everybody looks at the first word, but one head at the diagonal
    maps[1, 0] = torch.eye(2)
    expected = torch.full((2, 3), 0.5)
    expected[1, 0] = 0.0
    assert_close(head_alignment_error([maps], [{(0, 0), (1, 1)}]), expected)


def test_alignment_error_of_perfect_heads_and_of_nothing_at_all(draw):
    maps = [torch.eye(length).expand(LAYERS, HEADS, length, length) for length in (2, 5)]
    sure = [{(i, i) for i in range(length)} for length in (2, 5)]
    assert head_alignment_error(maps, sure).tolist() == [[0.0] * HEADS] * LAYERS
    assert head_alignment_error([draw(2, 3, 0, 4)], [set()]).tolist() == [[0.0] * 3] * 2


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_dtype_and_device_follow_the_weights(maps, dtype, device):
    placed = maps.to(device, dtype)
    results = [
        attention_entropy(placed),
        head_similarity(placed),
        attention_rollout(placed[..., :QUERY_LENGTH]),
        head_alignment_error([placed], [{(0, 0)}]),
    ]
    for result in results:
        assert result.dtype == dtype
        assert result.device.type == device.type
        assert result.isfinite().all()


def test_inputs_are_not_modified(maps):
    copy = maps.clone()
    attention_entropy(maps)
    head_similarity(maps)
    attention_rollout(maps[..., :QUERY_LENGTH])
    head_alignment_error([maps], [{(0, 0)}])
    assert torch.equal(maps, copy)


MAPS = torch.zeros(4, 3, 5, 7)
ATTENTION = MultiHeadAttention(D_MODEL, HEADS)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: attention_entropy(torch.zeros(3)), r"weights: expected at least 2 dimension\(s\)"),
        (lambda: attention_entropy(torch.zeros(3, 3, dtype=torch.long)), "weights: expected a floating dtype"),
        (lambda: attention_entropy(torch.tensor([[1.5, -0.5]])), "weights: expected numbers of at least 0.* got -0.5"),
        (lambda: head_similarity(MAPS[0]), r"weights: expected shape \(layers, heads, m, n\), got \(3, 5, 7\)"),
        (lambda: head_similarity(MAPS.long()), "weights: expected a floating dtype"),
        (lambda: attention_rollout(MAPS), r"weights: expected at least 1 head, and square maps, got \(4, 3, 5, 7\)"),
        (lambda: attention_rollout(MAPS[0, ..., :5]), r"weights: expected shape \(layers, heads, m, n\)"),
        (lambda: attention_rollout(MAPS[:, :0, :, :5]), r"weights: expected at least 1 head, .* got \(4, 0, 5, 5\)"),
        (lambda: head_importance([(ATTENTION, 0), (ATTENTION, 3)], float), r"heads\[1\]: .* from 0 to 2, got 3"),
        (lambda: head_importance([(ATTENTION, -1)], float), r"heads\[0\]: .* from 0 to 2, got -1"),
        (lambda: head_importance([(ATTENTION, 1.0)], float), r"heads\[0\]: .* from 0 to 2, got 1.0"),
        (
            lambda: head_importance([(nn.Linear(2, 2), 0)], float),
            r"heads\[0\]: expected a MultiHeadAtt.* got Linear",
        ),
        (lambda: head_importance([(SimpleNamespace(), 0)], float), r"heads\[0\]: .* got SimpleNamespace"),
        (lambda: head_importance([ATTENTION], float), r"heads\[0\]: expected a pair .* got MultiHeadAttention"),
        (lambda: head_alignment_error([], []), "maps: expected at least 1 sentence pair, got none"),
        (lambda: head_alignment_error([MAPS, MAPS], [set()]), "sure: expected one set for each of the 2 maps, got 1"),
        (lambda: head_alignment_error([MAPS], [set()], []), "possible: expected one set .* 1 maps, got 0"),
        (lambda: head_alignment_error([MAPS[0]], [set()]), r"maps: expected shape \(layers, heads, m, n\)"),
        (lambda: head_alignment_error([MAPS, MAPS[:2]], [set(), set()]), r"maps: expected shape \(4, 3, target_length"),
    ],
)
def test_errors_name_argument_expected_and_got(call, message):
    with pytest.raises(ValueError, match=message):
        call()
