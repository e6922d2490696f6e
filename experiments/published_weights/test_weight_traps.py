import pytest
import torch

from course_checks.cases import Draw
from course_checks.modern_transformer.published import MARIAN_CONFIG, gpt2_state, marian_state
from experiments.published_weights.weight_traps import GPT2_TRAPS, MARIAN_TRAPS, begin_with_the_end, spring
from transformer_course.modern_transformer import load_gpt2, load_marian

FIRST = {
    "exact GELU": "blocks.0",
    "eps 1e-12": "blocks.0",
    "attn.c_proj not transposed": "blocks.0",
    "queries and values exchanged": "blocks.0",
    "ln_f forgotten": "norm",
    "sines and cosines in turns": "source_embedding",
    "embedding not scaled": "source_embedding",
    "no final_logits_bias": "logits",
    "ReLU": "encoder_blocks.0",
    "no padding mask": "encoder_blocks.0",
}


@pytest.fixture
def gpt2():
    return load_gpt2(gpt2_state(Draw("traps")), 2)


@pytest.fixture
def marian():
    return load_marian(marian_state(Draw("traps"), MARIAN_CONFIG), MARIAN_CONFIG)


SOURCE = torch.tensor([[3, 4, 5, 0], [7, 0, 22, 22]])
TARGET = torch.tensor([[22, 8, 9], [22, 6, 0]])


@pytest.mark.parametrize("name", GPT2_TRAPS)
def test_a_trap_shows_where_it_was_planted(gpt2, name):
    tokens, before = torch.arange(10).unsqueeze(0), [p.clone() for p in gpt2.parameters()]
    seen = spring(gpt2, GPT2_TRAPS[name], tokens)
    assert seen.gap > 1e-5
    assert seen.first == FIRST[name]
    assert all(torch.equal(p, q) for p, q in zip(gpt2.parameters(), before, strict=True))


@pytest.mark.parametrize("name", MARIAN_TRAPS)
def test_a_trap_of_marian_shows_where_it_was_planted(marian, name):
    seen = spring(marian, MARIAN_TRAPS[name], SOURCE, TARGET)
    assert seen.gap > 1e-3
    assert seen.first == FIRST[name]


def test_the_wrong_first_token_shows_in_the_decoder(marian):
    seen = spring(marian, lambda model: None, SOURCE, TARGET, read=begin_with_the_end(marian.eos_id))
    assert seen.gap > 1e-3
    assert seen.first == "target_embedding"


def test_nothing_planted_is_nothing_seen(gpt2):
    seen = spring(gpt2, lambda model: None, torch.arange(6).unsqueeze(0))
    assert (seen.gap, seen.other, seen.first) == (0.0, 0.0, "logits")
