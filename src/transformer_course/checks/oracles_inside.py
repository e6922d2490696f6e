"""What is right about attention maps, by torch's own functions, hooks and loops: the oracle of exercise 12."""

from collections.abc import Callable, Sequence
from itertools import combinations

import torch
from torch import Tensor, nn
from torch.nn import functional as F


def right_entropy(weights: Tensor) -> Tensor:
    """Compute the entropy of every row with torch; a weight of 0 adds nothing, and its gradient is 0."""
    return torch.special.entr(weights.masked_fill(weights == 0, 1.0)).sum(-1)


def right_similarity(weights: Tensor) -> Tensor:
    """Compare every two heads of a layer with torch's cosine."""
    flat = [layer.flatten(1).unbind(0) for layer in weights.unbind(0)]
    rows = [F.cosine_similarity(one, other, dim=0) for heads in flat for one in heads for other in heads]
    return torch.stack(rows).reshape(*weights.shape[:2], weights.shape[1])


def right_rollout(weights: Tensor) -> Tensor:
    """Walk down one layer after the other, for every position on its own."""
    n = weights.shape[-1]
    rows = []
    for position in range(n):
        row = F.one_hot(torch.tensor(position), n).to(weights)
        for layer in weights.flip(0).unbind(0):
            step = torch.stack([layer.sum(0)[i] / len(layer) + F.one_hot(torch.tensor(i), n) for i in range(n)])
            row = torch.einsum("k,kj->j", row, step / step.sum(-1, keepdim=True))
        rows.append(row)
    return torch.stack(rows) if rows else weights.new_zeros(0, 0)


def right_drops(heads: Sequence[tuple[nn.Module, int]], evaluate: Callable[[], float]) -> list[float]:
    """Cut one head after the other out of what reaches ``w_output``, with hooks; no weight is touched."""
    complete, drops = evaluate(), []
    for attention, index in heads:
        handle = attention.w_output.register_forward_pre_hook(_without(index * attention.d_k, attention.d_k))
        try:
            drops.append(complete - evaluate())
        finally:
            handle.remove()
    return drops


def _without(start: int, width: int) -> Callable:
    def cut(module: nn.Module, inputs: tuple[Tensor]) -> tuple[Tensor]:
        before, head, after = inputs[0].tensor_split((start, start + width), dim=-1)
        return (torch.cat([before, torch.zeros_like(head), after], -1),)

    return cut


def right_agreement(first: Sequence[float], second: Sequence[float]) -> float:
    """Count pairs that both lists order alike, minus those that they order in opposite ways, over all pairs."""
    signs = []
    for i, j in combinations(range(len(first)), 2):
        one, other = (int(x[i] > x[j]) - int(x[i] < x[j]) for x in (first, second))
        signs.append(one * other)
    return sum(signs) / len(signs)


def right_diversity(weights: Tensor) -> float:
    """Compare every two different heads of each sentence with torch's cosine, and take the mean of all."""
    cosines = [
        F.cosine_similarity(one.flatten(), other.flatten(), dim=0)
        for sentence in weights.unbind(0)
        for one, other in combinations(sentence.unbind(0), 2)
    ]
    return torch.stack(cosines).mean().item()
