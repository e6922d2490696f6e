"""Exact search against trying every sentence of a tiny language."""

import itertools

import pytest
import torch

from experiments.beams.exact_search import exact_search
from transformer_course.common.tokens import BOS, EOS
from transformer_course.rnn_encoder_decoder import beam_search

LONGEST, WORDS = 4, (3, 4, 5)


def tiny_step(seed):
    """Give the logits of a tree's node; the state is its number."""
    table = 2 * torch.randn(200, 6, generator=torch.Generator().manual_seed(seed))

    def step(tokens, state):
        node = torch.where(tokens >= 3, 3 * state[:, 0] + tokens - 2, state[:, 0])
        return table[node], node.unsqueeze(1)

    return step


def total_of(step, sentence):
    total, state, last = 0.0, torch.zeros(1, 1, dtype=torch.long), BOS
    for token in sentence:
        logits, state = step(torch.tensor([last]), state)
        total, last = total + logits[0].log_softmax(dim=-1)[token].item(), token
    return total


START = torch.zeros(1, 1, dtype=torch.long)


@pytest.mark.parametrize("seed", range(5))
def test_it_finds_what_trying_everything_finds(seed):
    step = tiny_step(seed)
    # PAD, BOS and UNK are words like others to a search; here they lead back to the same node.
    sentences = [
        [*words, EOS] for length in range(LONGEST) for words in itertools.product((0, 1, *WORDS), repeat=length)
    ]
    best = max(sentences, key=lambda sentence: total_of(step, sentence))
    tokens, total, num_read = exact_search(step, START, LONGEST)
    assert tokens == best
    assert total == pytest.approx(total_of(step, best), abs=1e-5)
    assert num_read <= sum(5**length for length in range(LONGEST))
    beam = beam_search(step, START, 2, LONGEST)[0]
    assert beam[0][-1] != EOS or total >= beam[1] - 1e-5


def test_a_known_sentence_saves_work_and_is_not_found_again():
    step = tiny_step(0)
    tokens, total, num_read = exact_search(step, START, LONGEST)
    assert exact_search(step, START, LONGEST, total + 1e-3)[0] is None
    again, _, fewer = exact_search(step, START, LONGEST, total - 1e-3)
    assert again == tokens
    assert fewer <= num_read


def test_no_more_prefixes_of_one_length_than_one_over_the_probability():
    step = tiny_step(1)
    _, total, _ = exact_search(step, START, LONGEST)
    read = []

    def counting(tokens, state):
        read.append(len(tokens))
        return step(tokens, state)

    exact_search(counting, START, LONGEST, total - 1e-4)
    assert max(read) <= torch.tensor(-total).exp() * 1.01 + 1


def test_what_is_refused():
    with pytest.raises(ValueError, match="max_length"):
        exact_search(tiny_step(0), START, 0)
    with pytest.raises(ValueError, match="state"):
        exact_search(tiny_step(0), START.repeat(2, 1), 3)
