"""Attentions under suspicion: each claims to be causal, and some of them leak. For the detector of exercise 06.

They take query, key and value ``(length, d)`` and return an output ``(length, d_v)``. What each of them does is said by
`TRUTH`, which a learner reads after the detector has had its say.
"""

import math
from collections.abc import Callable

import torch
from torch import Tensor

TRUTH = {
    "A": "the hidden scores are set to -inf before softmax: right",
    "B": "the mask is applied after softmax: hidden weights are 0, but they have taken their share of the total",
    "C": "the hidden scores are set to -1e9 before softmax, which vanishes in float64: right",
    "D": "the mask is one place too wide: each position sees the next one",
    "E": "the hidden scores are set to -10, which is not small enough",
    "F": "the mask is transposed: each position sees itself and what comes later",
    "G": "exponentials are masked and divided by what is left: right, though nothing is set to -inf",
    "H": "the output is right, the gradient is not: it flows to hidden keys and values, as from a faulty kernel",
    "I": "hidden keys enter the total, cut off from the graph: only a change of the numbers shows it",
}


def suspect(name: str) -> Callable[[Tensor, Tensor, Tensor], Tensor]:
    """Fetch an attention by its letter in `TRUTH`."""
    return _SUSPECTS[name]


def reach(name: str, length: int) -> Tensor:
    """Say which outputs (rows) the keys and values (columns) of a suspect can reach: ``(length, length)``, bool."""
    allowed = _causal(length)
    if name in ("B", "E", "H", "I"):
        return torch.ones_like(allowed)
    return {"D": torch.ones_like(allowed).tril(1), "F": allowed.T}.get(name, allowed)


def _causal(length: int) -> Tensor:
    return torch.ones(length, length, dtype=torch.bool).tril()


def _scores(query: Tensor, key: Tensor) -> Tensor:
    return query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])


def _filled(mask: Callable[[int], Tensor], fill: float) -> Callable[[Tensor, Tensor, Tensor], Tensor]:
    def attention(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        scores = _scores(query, key).masked_fill(~mask(len(key)), fill)
        return torch.softmax(scores, -1) @ value

    return attention


def _after_softmax(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    return (torch.softmax(_scores(query, key), -1) * _causal(len(key))) @ value


def _renormalised(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    scores = _scores(query, key)
    exponentials = (scores - scores.amax(-1, keepdim=True)).exp() * _causal(len(key))
    return exponentials / exponentials.sum(-1, keepdim=True) @ value


def _faulty_backward(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    leak = torch.softmax(_scores(query, key), -1) @ value
    return _filled(_causal, -math.inf)(query, key, value) + 0.1 * (leak - leak.detach())


def _hidden_total(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    exponentials = _scores(query, key).exp()
    allowed = _causal(len(key))
    total = (exponentials * allowed).sum(-1, keepdim=True) + (exponentials * ~allowed).detach().sum(-1, keepdim=True)
    # The product of query and hidden key reaches the output through a number that autograd knows nothing of.
    return (exponentials * allowed) / total @ value


_SUSPECTS = {
    "A": _filled(_causal, -math.inf),
    "B": _after_softmax,
    "C": _filled(_causal, -1e9),
    "D": _filled(lambda length: torch.ones(length, length, dtype=torch.bool).tril(1), -math.inf),
    "E": _filled(_causal, -10.0),
    "F": _filled(lambda length: _causal(length).T, -math.inf),
    "G": _renormalised,
    "H": _faulty_backward,
    "I": _hidden_total,
}
