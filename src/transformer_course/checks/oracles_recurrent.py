"""What is right, by torch's recurrent network and by trying out every sentence: the oracle of the checks of unit 02."""

import math
from collections.abc import Callable
from itertools import product

import torch
from torch import Tensor

from transformer_course.checks.toy_models import Chain


def right_gru(x: Tensor, hidden: Tensor, weight_ih: Tensor, weight_hh: Tensor, bias_ih: Tensor, bias_hh: Tensor):
    """Compute one step with torch's own cell."""
    return torch.gru_cell(x, hidden, weight_ih, weight_hh, bias_ih, bias_hh)


def right_encoding(embedded: Tensor, lengths: Tensor, cell: Callable, hidden: Tensor) -> tuple[Tensor, Tensor]:
    """Read each sentence alone, without its padding, and put the results together."""
    length, outputs, finals = embedded.shape[1], [], []
    for row, real in enumerate(lengths.tolist()):
        state, states = hidden[row : row + 1], []
        for position in range(real):
            state = cell(embedded[row : row + 1, position], state)
            states.append(state)
        padding = hidden.new_zeros(length - real, hidden.shape[1])
        outputs.append(torch.cat([*states, padding]))
        finals.append(state)
    return torch.stack(outputs), torch.cat(finals)


def right_greedy(chain: Chain, starts: list[int], max_length: int, bos: int = 1, eos: int = 2, pad: int = 0) -> Tensor:
    """Follow the most probable word, one sentence at a time, in plain Python."""
    rows = []
    for state in starts:
        row, token = [], bos
        while len(row) < max_length and token != eos:
            state = chain.follow(state, token)
            token = int(chain.table[state].argmax())
            row.append(token)
        rows.append(row)
    longest = max(map(len, rows), default=0)
    filled = [row + [pad] * (longest - len(row)) for row in rows]
    return torch.tensor(filled, dtype=torch.long).reshape(len(rows), longest)


def right_penalty(length: int, alpha: float) -> float:
    """Compute the penalty by way of the logarithm."""
    return math.exp(alpha * (math.log(5 + length) - math.log(6)))


def log_probability(chain: Chain, start: int, tokens: list[int], bos: int = 1) -> float:
    """Add up the log probabilities of a given sentence."""
    state, total = start, 0.0
    for before, token in zip([bos, *tokens], tokens, strict=False):
        state = chain.follow(state, before)
        total += float(chain.table[state].double().log_softmax(-1)[token])
    return total


def best_sentence(
    chain: Chain, start: int, max_length: int, alpha: float = 0.0, bos: int = 1, eos: int = 2
) -> tuple[list[int], float]:
    """Try out every sentence and return the best one with its score."""
    vocab_size, entries = chain.table.shape[1], []
    others = [token for token in range(vocab_size) if token != eos]
    for length in range(max_length + 1):
        for words in product(others, repeat=length):
            tokens = [*words, eos] if length < max_length else [*words]
            if tokens:
                total = log_probability(chain, start, tokens, bos)
                entries.append((tokens, total / right_penalty(len(tokens), alpha)))
    return max(entries, key=lambda entry: entry[1])
