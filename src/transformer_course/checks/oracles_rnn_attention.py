"""What is right, by reading each sentence alone, by torch's einsum and softmax, and by counting: unit 03's oracle."""

import math
from collections.abc import Callable

import torch
from torch import Tensor, einsum
from torch.nn import functional as F

from transformer_course.checks.oracles import right_softmax


def right_bidirectional(
    embedded: Tensor, lengths: Tensor, forward_cell: Callable, backward_cell: Callable, hidden: Tensor
) -> Tensor:
    """Read each sentence alone, without its padding, forwards and backwards."""
    sentences = []
    for row, real in enumerate(lengths.tolist()):
        halves = []
        for cell, order in ((forward_cell, range(real)), (backward_cell, reversed(range(real)))):
            state, states = hidden[row : row + 1], {}
            for position in order:
                states[position] = state = cell(embedded[row : row + 1, position], state)
            halves.append([states[position] for position in range(real)])
        words = [torch.cat(pair, dim=1) for pair in zip(*halves, strict=True)]
        sentences.append(torch.cat([*words, hidden.new_zeros(embedded.shape[1] - real, 2 * hidden.shape[1])]))
    return torch.stack(sentences)


def right_dot(query: Tensor, keys: Tensor) -> Tensor:
    """Compute the dot products."""
    return einsum("bd,bld->bl", query, keys)


def right_additive(query: Tensor, keys: Tensor, w_query: Tensor, w_key: Tensor, v: Tensor) -> Tensor:
    """Compute the scores as Luong et al. write them: one matrix times query and key, one above the other."""
    both = torch.cat([query.unsqueeze(1).expand(-1, keys.shape[1], -1), keys], dim=-1)
    return einsum("bla,a->bl", F.linear(both, torch.cat([w_query, w_key], dim=1)).tanh(), v)


def right_attend(scores: Tensor, values: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """Compute context and weights with torch's softmax; a row that may see nothing gets zeros."""
    weights = right_softmax(scores if mask is None else scores.masked_fill(~mask, -math.inf))
    return einsum("bl,bld->bd", weights, values), weights


def best_links(weights: Tensor) -> set[tuple[int, int]]:
    """Link each target word to the source word with the highest weight, the first one on a tie, in plain Python."""
    return {(target, row.index(max(row))) for target, row in enumerate(weights.tolist())}


def right_alignment_error(
    weights: Tensor, sure: set[tuple[int, int]], possible: set[tuple[int, int]] | None = None
) -> float:
    """Count link by link."""
    links = best_links(weights)
    hits = sum((link in sure) + (link in sure or link in (possible or ())) for link in links)
    return 1 - hits / (len(links) + len(sure)) if links or sure else 0.0


def right_decoder(
    embedded: Tensor, hidden: Tensor, memory: Tensor, mask: Tensor, cell: Callable, score: Callable
) -> tuple[Tensor, Tensor]:
    """Look, then read, word by word."""
    states, rows = [], []
    for word in embedded.unbind(1):
        context, weights = right_attend(score(hidden, memory), memory, mask)
        hidden = cell(torch.cat([word, context], dim=-1), hidden)
        states.append(hidden)
        rows.append(weights)
    return torch.stack(states, 1), torch.stack(rows, 1)


def right_share(weights: Tensor, lengths: list[int]) -> float:
    """Add up the weights on padding sentence by sentence."""
    shares = [
        float(row[length:].double().sum())
        for sentence, length in zip(weights, lengths, strict=True)
        for row in sentence
    ]
    return sum(shares) / len(shares)
