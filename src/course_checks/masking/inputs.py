"""Attentions for the leak detector of exercise 06: suspects that claim to be causal, and others with any mask.

They take query, key and value, ``(length, d)`` each, and return an output ``(query_length, d_v)``. What each suspect
does is said by `TRUTH`, which a learner reads after the detector has had its say.
"""

import math
from collections.abc import Callable

import torch
from torch import Tensor

Attention = Callable[[Tensor, Tensor, Tensor], Tensor]

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
# What is added to the last number of an honest output, so that all keys or values reach it in one way alone.
LEAKS = {
    "a leak of the values by a negative gradient alone": lambda key, value: value.detach().mean() - value.mean(),
    "a leak of the values that no gradient shows": lambda key, value: -value.detach().mean(),
    "a leak of the keys that no gradient shows": lambda key, value: -key.detach().mean(),
    "a leak of the values that nothing but a gradient shows": lambda key, value: value.mean() - value.detach().mean(),
    "a leak of the keys that nothing but a gradient shows": lambda key, value: key.mean() - key.detach().mean(),
    "a leak of the rounded values": lambda key, value: (20 * value).round().sin().mean(),
    "a leak of a millionth of the values": lambda key, value: 1e-6 * value.mean(),
    "a leak far smaller than rounding": lambda key, value: 1e-12 * (value.mean() + key.mean()),
}


def suspect(name: str) -> Attention:
    """Fetch an attention by its letter in `TRUTH`."""
    return _SUSPECTS[name]


def reach(name: str, length: int) -> Tensor:
    """Say which outputs (rows) the keys and values (columns) of a suspect can reach, ``(length, length)``, bool."""
    allowed = _causal(length)
    if name in ("B", "E", "H", "I"):
        return torch.ones_like(allowed)
    return {"D": torch.ones_like(allowed).tril(1), "F": allowed.T}.get(name, allowed)


def masked(mask: Tensor | Callable[[int], Tensor], fill: float = -math.inf, leak: str = "") -> Attention:
    """Make an attention that obeys a mask, which may be made from the length, and leaks in one way of `LEAKS`."""

    def attention(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        hidden = ~(mask(len(key)) if callable(mask) else mask)
        output = torch.softmax(_scores(query, key).masked_fill(hidden, fill), -1) @ value
        last = torch.eye(output.shape[-1], dtype=output.dtype)[-1]
        return output + LEAKS[leak](key, value) * last if leak else output

    return attention


def balanced(mask: Tensor) -> Attention:
    """Make an attention that obeys a mask, and adds to one number of each output what it takes from another."""

    def attention(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        both = torch.eye(value.shape[-1], dtype=value.dtype)[0] - torch.eye(value.shape[-1], dtype=value.dtype)[1]
        return masked(mask)(query, key, value) + (key.detach().mean() + value.detach().mean()) * both

    return attention


def switched(mask: Tensor, old_key: Tensor, old_value: Tensor) -> Attention:
    """Make an attention that obeys a mask, and leaks the keys, without a gradient, while the values stay these."""

    def attention(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        leak = (key - old_key).detach().mean() if value.equal(old_value) else 0.0
        return masked(mask)(query, key, value) + leak

    return attention


def from_zero(mask: Tensor) -> Attention:
    """Make an attention that obeys a mask, and leaks the sizes of all keys and values, without a gradient.

    The first output falls when one of them grows, the others rise.
    """

    def attention(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        sign = 1 - 2.0 * (torch.arange(len(query)) == 0)
        return masked(mask)(query, key, value) + sign[:, None] * (key.abs().mean() + value.abs().mean()).detach()

    return attention


def plain_mean(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """Average the values, whatever the query and the keys are."""
    return value.mean(0).expand(len(query), -1)


def keys_alone(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """Mix the keys, and use no values."""
    return torch.softmax(_scores(query, key), -1) @ key


def _causal(length: int) -> Tensor:
    return torch.ones(length, length, dtype=torch.bool).tril()


def _scores(query: Tensor, key: Tensor) -> Tensor:
    return query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])


def _after_softmax(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    return (torch.softmax(_scores(query, key), -1) * _causal(len(key))) @ value


def _renormalised(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    scores = _scores(query, key)
    exponentials = (scores - scores.amax(-1, keepdim=True)).exp() * _causal(len(key))
    return exponentials / exponentials.sum(-1, keepdim=True) @ value


def _faulty_backward(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    leak = torch.softmax(_scores(query, key), -1) @ value
    return masked(_causal)(query, key, value) + 0.1 * (leak - leak.detach())


def _hidden_total(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    exponentials = _scores(query, key).exp()
    allowed = _causal(len(key))
    total = (exponentials * allowed).sum(-1, keepdim=True) + (exponentials * ~allowed).detach().sum(-1, keepdim=True)
    # The product of query and hidden key reaches the output through a number that autograd knows nothing of.
    return (exponentials * allowed) / total @ value


_SUSPECTS = {
    "A": masked(_causal),
    "B": _after_softmax,
    "C": masked(_causal, -1e9),
    "D": masked(lambda length: torch.ones(length, length, dtype=torch.bool).tril(1)),
    "E": masked(_causal, -10.0),
    "F": masked(lambda length: _causal(length).T),
    "G": _renormalised,
    "H": _faulty_backward,
    "I": _hidden_total,
}
