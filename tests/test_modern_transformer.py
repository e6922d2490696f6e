import itertools
import math

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from transformer_course.common.memory import Memory
from transformer_course.masking import causal_mask
from transformer_course.modern_transformer import ModernBlock, RMSNorm, rms_norm, rotate, swiglu
from transformer_course.positional_encoding import rotary_encoding


def drawn(*shape, seed=0):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def perturbed(module: nn.Module) -> nn.Module:
    """Give every parameter, gains too, numbers that show where it is used."""
    generator = torch.Generator().manual_seed(7)
    with torch.no_grad():
        for parameter in module.double().parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator, dtype=torch.float64) * 0.4 + 0.2)
    return module


@pytest.mark.parametrize("eps", [1e-6, 0.3, 0.0])
def test_rms_norm_is_torchs_forward_and_backward(eps):
    inputs = [(3 * drawn(2, 5, 7)).requires_grad_(), drawn(7, seed=1).requires_grad_()]
    expected = F.rms_norm(inputs[0], (7,), inputs[1], eps)
    found = rms_norm(*inputs, eps)
    torch.testing.assert_close(found, expected)
    upstream = drawn(2, 5, 7, seed=2)
    for one, other in zip(
        torch.autograd.grad(found, inputs, upstream), torch.autograd.grad(expected, inputs, upstream), strict=True
    ):
        torch.testing.assert_close(one, other)


def test_rms_norm_by_hand():
    # The mean of 9, 16 and 0 is 25 / 3.
    found = rms_norm(torch.tensor([3.0, 4.0, 0.0]), torch.tensor([1.0, 1.0, 1.0]), eps=0.0)
    torch.testing.assert_close(found, torch.tensor([3.0, 4.0, 0.0]) / math.sqrt(25 / 3))


def test_rms_norm_keeps_the_mean_and_forgets_the_size():
    x, one = drawn(4, 6) + 3, torch.ones(6, dtype=torch.float64)
    torch.testing.assert_close(rms_norm(10 * x, one, 0.0), rms_norm(x, one, 0.0))
    assert (rms_norm(x, one).mean(-1) > 0.5).all()


@pytest.mark.parametrize("shape", [(4,), (0, 4), (2, 0, 4), (3, 1)])
def test_rms_norm_at_the_edge(shape):
    weight = torch.ones(shape[-1])
    torch.testing.assert_close(rms_norm(torch.zeros(shape), weight), torch.zeros(shape))


def test_the_norm_as_a_module_is_the_function():
    norm, x = perturbed(RMSNorm(6, eps=0.02)), drawn(3, 6)
    torch.testing.assert_close(norm(x), rms_norm(x, norm.weight, 0.02))
    assert (RMSNorm(3).weight == 1).all()


def turned_by_hand(x, positions, base):
    """Multiply complex numbers, one at a time."""
    x, d = x.detach(), x.shape[-1]
    result = torch.empty_like(x)
    for place in itertools.product(*map(range, x.shape[:-1])):
        for i in range(d // 2):
            angle = float(positions[place[-1]]) * base ** (-2 * i / d)
            number = complex(x[place][2 * i], x[place][2 * i + 1]) * complex(math.cos(angle), math.sin(angle))
            result[place][2 * i], result[place][2 * i + 1] = number.real, number.imag
    return result


@pytest.mark.parametrize("positions", [[0, 1, 2, 3], [7, 3, 3, 1000], [0.5, -2.0, 0.0, 11.25]])
@pytest.mark.parametrize("base", [10_000.0, 100.0, 500_000.0])
def test_rotation_by_hand(positions, base):
    x, positions = drawn(2, 3, 4, 6), torch.tensor(positions)
    torch.testing.assert_close(rotate(x, positions, base), turned_by_hand(x, positions, base))


def test_rotation_is_that_of_chapter_08():
    x = drawn(2, 5, 8)
    torch.testing.assert_close(rotate(x, torch.arange(3, 8)), rotary_encoding(x, start=3))


def test_scores_depend_on_the_distance_alone():
    query, key, positions = drawn(5, 8), drawn(5, 8, seed=1), torch.tensor([0, 4, 9, 2, 30])
    near = rotate(query, positions) @ rotate(key, positions).T
    far = rotate(query, positions + 1234) @ rotate(key, positions + 1234).T
    torch.testing.assert_close(near, far)


def test_rotation_in_float32_is_as_exact_as_its_numbers_far_out():
    x, positions = drawn(3, 4).float(), torch.tensor([10, 100_000, 999_999])
    torch.testing.assert_close(rotate(x, positions), rotate(x.double(), positions).float())


def test_the_gradient_of_a_rotation_turns_back():
    x = drawn(3, 4).requires_grad_()
    upstream, positions = drawn(3, 4, seed=1), torch.tensor([1, 5, 2])
    (grad,) = torch.autograd.grad(rotate(x, positions), x, upstream)
    torch.testing.assert_close(grad, rotate(upstream, -positions))


def test_swiglu_number_by_number():
    x, w_gate, w_up, w_down = drawn(2, 3), drawn(5, 3, seed=1), drawn(5, 3, seed=2), drawn(3, 5, seed=3)
    expected = torch.zeros_like(x)
    for row in range(2):
        for j in range(5):
            gate = sum(float(x[row, k] * w_gate[j, k]) for k in range(3))
            up = sum(float(x[row, k] * w_up[j, k]) for k in range(3))
            for k in range(3):
                expected[row, k] += gate / (1 + math.exp(-gate)) * up * w_down[k, j]
    torch.testing.assert_close(swiglu(x, w_gate, w_up, w_down), expected)
    assert torch.autograd.gradcheck(swiglu, [each.requires_grad_() for each in (x, w_gate, w_up, w_down)])


def block_by_hand(block: ModernBlock, x, mask, positions, groups, base=10_000.0):
    """The block with torch's norm and attention, heads with copies of their group's keys, and complex numbers."""
    batch, length, _ = x.shape

    def normed(x, norm):
        return F.rms_norm(x, norm.weight.shape, norm.weight, norm.eps) if isinstance(norm, RMSNorm) else x

    def heads(x, linear, number, norm=None):
        x = (x @ linear.weight.T).view(batch, length, number, -1).transpose(1, 2)
        return x if norm is None else turned_by_hand(normed(x, norm), positions, base)

    y = normed(x, block.norm_1)
    query = heads(y, block.w_query, 4, block.norm_query)
    key, value = heads(y, block.w_key, groups, block.norm_key), heads(y, block.w_value, groups)
    key, value = (each.repeat_interleave(4 // groups, dim=1) for each in (key, value))
    mixed = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
    x = x + mixed.transpose(1, 2).reshape(batch, length, -1) @ block.w_output.weight.T
    y = normed(x, block.norm_2)
    return x + (F.silu(y @ block.w_gate.weight.T) * (y @ block.w_up.weight.T)) @ block.w_down.weight.T


@pytest.mark.parametrize("groups", [1, 2, 4])
@pytest.mark.parametrize("qk_norm", [False, True])
@pytest.mark.parametrize("positions", [None, [3, 4, 90, 6, 7]])
def test_the_block_is_its_formula(groups, qk_norm, positions):
    block = perturbed(ModernBlock(16, 4, groups, 11, qk_norm))
    x, mask = drawn(2, 5, 16), causal_mask(5)
    places = torch.arange(5) if positions is None else torch.tensor(positions)
    found = block(x, mask, None if positions is None else places)
    torch.testing.assert_close(found, block_by_hand(block, x, mask, places, groups))
    torch.testing.assert_close(block(x, None, places), block_by_hand(block, x, None, places, groups))


def test_the_block_reads_no_word_that_the_mask_hides():
    block, x = perturbed(ModernBlock(8, 2, 1, 12)), drawn(2, 6, 8)
    other = x.clone()
    other[:, 4] += 1
    mask = causal_mask(6)
    assert torch.equal(block(x, mask)[:, :4], block(other, mask)[:, :4])
    assert not torch.equal(block(x, mask)[:, 4:], block(other, mask)[:, 4:])
    hidden = torch.ones(2, 1, 1, 6, dtype=torch.bool)
    hidden[..., 4] = False
    assert torch.equal(block(x, hidden)[:, :4], block(other, hidden)[:, :4])


def test_the_block_feels_distances_and_not_places():
    block, x = perturbed(ModernBlock(8, 2, 2, 12, qk_norm=True)), drawn(1, 4, 8)
    places = torch.tensor([0, 1, 2, 5])
    torch.testing.assert_close(block(x, positions=places), block(x, positions=places + 77))
    assert not torch.allclose(block(x, positions=places), block(x))


def test_parameters_have_the_names_of_the_exercise():
    names = {name: tuple(p.shape) for name, p in ModernBlock(12, 6, 2, 20, qk_norm=True).named_parameters()}
    assert names == {
        "norm_1.weight": (12,),
        "norm_2.weight": (12,),
        "w_query.weight": (12, 12),
        "w_key.weight": (4, 12),
        "w_value.weight": (4, 12),
        "w_output.weight": (12, 12),
        "w_gate.weight": (20, 12),
        "w_up.weight": (20, 12),
        "w_down.weight": (12, 20),
        "norm_query.weight": (2,),
        "norm_key.weight": (2,),
    }
    assert "norm_key.weight" not in dict(ModernBlock(12, 6, 2, 20).named_parameters())


def test_the_block_runs_where_its_numbers_are(device):
    block = ModernBlock(8, 2, 1, 12, qk_norm=True).to(device, torch.bfloat16)
    x = torch.randn(2, 3, 8, device=device, dtype=torch.bfloat16)
    found = block(x, causal_mask(3, device))
    assert found.dtype == torch.bfloat16
    assert found.device.type == device.type
    assert block(x[:, :0]).shape == (2, 0, 8)


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: rms_norm(torch.ones(3), torch.ones(4)), "x"),
        (lambda: rms_norm(torch.ones(3, dtype=torch.long), torch.ones(3)), "x"),
        (lambda: rms_norm(torch.ones(3), torch.ones(1, 3)), "weight"),
        (lambda: rms_norm(torch.ones(3), torch.ones(3), -1e-6), "eps"),
        (lambda: RMSNorm(3, -1e-6), "eps"),
        (lambda: RMSNorm(0), "d_model"),
        (lambda: rotate(torch.ones(2, 3), torch.arange(2)), "x"),
        (lambda: rotate(torch.ones(2), torch.arange(2)), "x"),
        (lambda: rotate(torch.ones(2, 4, dtype=torch.long), torch.arange(2)), "x"),
        (lambda: rotate(torch.ones(2, 4), torch.arange(3)), "positions"),
        (lambda: rotate(torch.ones(2, 4), torch.arange(2), 0.0), "base"),
        (lambda: swiglu(torch.ones(2), torch.ones(5, 3), torch.ones(5, 3), torch.ones(3, 5)), "x"),
        (lambda: swiglu(torch.ones(3), torch.ones(5, 3), torch.ones(4, 3), torch.ones(3, 5)), "w_up"),
        (lambda: swiglu(torch.ones(3), torch.ones(5, 3), torch.ones(5, 3), torch.ones(5, 3)), "w_down"),
        (lambda: ModernBlock(0, 1, 1, 4), "d_model"),
        (lambda: ModernBlock(12, 5, 1, 4), "num_heads"),
        (lambda: ModernBlock(12, 6, 4, 4), "num_groups"),
        (lambda: ModernBlock(12, 4, 2, 4), "d_model / num_heads"),
        (lambda: ModernBlock(12, 6, 2, 0), "d_ff"),
        (lambda: ModernBlock(8, 2, 1, 4)(torch.ones(2, 8)), "x"),
        (lambda: ModernBlock(8, 2, 1, 4)(torch.ones(1, 3, 8), torch.ones(3, 3)), "mask"),
        (lambda: ModernBlock(8, 2, 1, 4)(torch.ones(1, 3, 8), positions=torch.arange(4)), "positions"),
    ],
)
def test_wrong_input_is_refused(call, name):
    with pytest.raises(ValueError, match=f"^{name}: expected"):
        call()


@pytest.mark.parametrize("size", [1.0, 300.0, 1e4])
def test_rms_norm_of_half_precision_is_torchs(size):
    x, gain = (size * drawn(4, 9)).half(), drawn(9, seed=1).half()
    found = rms_norm(x, gain)
    assert found.dtype == torch.float16
    torch.testing.assert_close(found, F.rms_norm(x, (9,), gain, 1e-6))


def test_the_block_reads_no_text_at_all():
    assert ModernBlock(8, 4, 2, 12)(torch.zeros(0, 5, 8)).shape == (0, 5, 8)


def test_is_causal_is_the_causal_mask_beside_the_mask():
    block, x = perturbed(ModernBlock(16, 4, 2, 11)), drawn(2, 6, 16)
    padding = torch.tensor([[True] * 6, [True] * 4 + [False] * 2])[:, None, None, :]
    torch.testing.assert_close(block(x, is_causal=True), block(x, causal_mask(6)))
    torch.testing.assert_close(block(x, padding, is_causal=True), block(x, padding & causal_mask(6)))


@pytest.mark.parametrize("groups", [1, 2, 8])
def test_the_block_makes_no_map_of_all_pairs(groups):
    length, heads = 512, 8
    torch.manual_seed(0)
    block, x = ModernBlock(64, heads, groups, 96), torch.randn(1, length, 64, requires_grad=True)
    with Memory(x, *block.parameters()) as memory:
        block(x, is_causal=True).sum().backward()
    one_map = length * length * x.element_size()  # the scores of a single head
    assert memory.largest < one_map
