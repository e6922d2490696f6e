"""Looking inside changes nothing, and what the experiments change is what they say."""

import pytest
import torch

from experiments.real_models import circuit, memory, pairs, texts, traps
from experiments.real_models.reading import fresh, losses, read_inside
from experiments.results import committed
from transformer_course.published.modern_language_model import Sizes

SIZES = Sizes(
    vocab_size=50, d_model=24, num_heads=6, num_groups=2, num_layers=3, d_ff=40, base=1e3, eps=1e-5, max_length=40
)
TOKENS = torch.randint(50, (2, 11), generator=torch.Generator().manual_seed(0))


@pytest.fixture(scope="module")
def model():
    made, generator = fresh(SIZES, 0), torch.Generator().manual_seed(1)
    for parameter in made.parameters():  # fresh gains are 1, and hide who forgets them
        parameter.add_(0.1 * torch.randn(parameter.shape, generator=generator))
    return made


def test_looking_inside_changes_nothing(model):
    seen = {}
    logits = read_inside(model, TOKENS, lambda layer, parts: seen.__setitem__(layer, parts))
    torch.testing.assert_close(logits, model(TOKENS))
    torch.testing.assert_close(seen[1]["stream"] + seen[1]["attention"] + seen[1]["network"], seen[2]["stream"])
    torch.testing.assert_close(seen[2]["weights"].sum(-1), torch.ones(2, 6, 11))
    assert losses(logits, TOKENS).shape == (2, 10)


def test_a_head_that_says_nothing_is_a_head_whose_columns_are_zero(model):
    def say(layer, heads):
        return heads.index_fill(1, torch.tensor([4]), 0.0) if layer == 1 else heads

    found = read_inside(model, TOKENS, say=say)
    other = traps.twin(model)
    weight = model.blocks[1].w_output.weight.clone()
    weight[:, 16:20] = 0.0
    other.blocks[1].w_output.weight = torch.nn.Parameter(weight, requires_grad=False)
    torch.testing.assert_close(found, other(TOKENS))
    assert not torch.allclose(found, model(TOKENS))


def test_a_twin_is_changed_and_the_model_is_not(model):
    before = model(TOKENS)
    for name, change in traps.TRAPS.items():
        if "W_Q" in name or "W_O" in name or name == "loaded rightly":
            continue
        other = traps.twin(model)
        change(other)
        assert not torch.equal(other(TOKENS), before) or "eps" in name, name
    assert torch.equal(model(TOKENS), before)


def test_groups_in_turns_are_the_heads_of_the_other_order(model):
    other = traps.twin(model)
    traps._turns(other)
    block, wrong = model.blocks[0], other.blocks[0]
    x = torch.randn(1, 5, 24, generator=torch.Generator().manual_seed(1))
    query, key, value = block.project(x, torch.arange(5))
    key, value = (y[:, torch.arange(6) % 2] for y in (key, value))  # head i reads group i % 2
    heads = torch.softmax(query @ key.mT / 2, -1) @ value
    expected = block.w_output(heads.transpose(1, 2).flatten(2))
    query, key, value = wrong.project(x, torch.arange(5))
    key, value = (y.repeat_interleave(3, 1) for y in (key, value))
    found = wrong.w_output((torch.softmax(query @ key.mT / 2, -1) @ value).transpose(1, 2).flatten(2))
    torch.testing.assert_close(found, expected)


def test_nine_groups_compute_what_three_do(model):
    torch.testing.assert_close(memory.ungrouped(model)(TOKENS), model(TOKENS))


def test_rounding_to_bits_leaves_so_many_numbers():
    weight = torch.randn(3, 64, generator=torch.Generator().manual_seed(0))
    for bits in (2, 3, 8):
        found = memory.rounded_to(weight, bits)
        assert all(len(part.unique()) <= 2**bits for row in found for part in row.split(32))
        step = (weight.view(-1, 32).amax(1) - weight.view(-1, 32).amin(1)) / (2**bits - 1)
        assert ((found - weight).abs().view(-1, 32).amax(1) <= step / 2 + 1e-6).all()


def test_repeated_counts_fours_that_stood_there_before():
    assert texts.repeated([1, 2, 3, 4, 5]) == 0
    assert texts.repeated([1, 2, 3, 4, 1, 2, 3, 4]) == pytest.approx(1 / 5)


def test_pairs_differ_in_one_word_and_are_right_in_both_numbers():
    for form in pairs.FORMS:
        drawn = pairs.draw_pairs(form)
        assert len(set(drawn)) == 40
        for right, wrong in drawn:
            words = list(zip(right.split(), wrong.split(), strict=True))
            assert sum(a != b for a, b in words) == 1
    assert pairs.draw_pairs("owner")[0][0].count("s' ") == 1  # the farmers' singer sings


def test_other_heads_are_others_from_the_same_layers():
    heads = [(3, 0), (3, 1), (7, 5)]
    found = circuit.same_layers(heads, set(heads), torch.Generator().manual_seed(0))
    assert sorted(layer for layer, _ in found) == [3, 3, 7]
    assert not found & set(heads)


def test_the_probe_finds_a_direction_and_finds_none_where_there_is_none():
    generator = torch.Generator().manual_seed(0)
    right = torch.randn(40, 30, generator=generator)
    wrong = right + 0.5 * torch.randn(40, 30, generator=generator)
    wrong[:, 3] -= 2
    assert pairs.probed(right, wrong) > 0.9
    assert 0.2 < pairs.probed(*pairs._exchanged(right, wrong)) < 0.8


def test_every_experiment_is_committed_once():
    from experiments.real_models import run

    names = [each["name"] for each in committed("real_models")["runs"]]
    assert committed("real_models")["settings"] == run.SETTINGS
    assert sorted(names) == sorted(run.EXPERIMENTS)
