"""Chapter 05: a model whose one task is to look something up, trained many times at once.

Eight pairs of a key symbol and a value symbol are given, then one of the keys; the answer is its value. The model is
one attention head over embedded symbols. All runs of an experiment (a seed and a learning rate each) are trained side
by side in a leading dimension ``runs``.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

NUM_SYMBOLS, NUM_PAIRS, D_MODEL, BATCH = 16, 8, 32, 32


@dataclass(frozen=True)
class Head:
    """How a head makes scores of queries and keys, and where it starts.

    Args:
        divisor: what the dot products are divided by.
        start: the standard deviation of an entry of a query or a key at the start.
        learned: whether the scores are multiplied by a learned factor, 1 at the start.
        normalised: whether queries and keys get length 1 before they are multiplied (QK-norm).
        slower: by what the learning rate of W_Q and W_K is divided.
    """

    divisor: float = 1.0
    start: float = 1.0
    learned: bool = False
    normalised: bool = False
    slower: float = 1.0


def heads(d_k: int) -> dict[str, Head]:
    """The variants that chapter 05 compares, each with what it does to a head of width d_k."""
    root = math.sqrt(d_k)
    return {
        "divided": Head(divisor=root),
        "not divided": Head(),
        "divided, sharp start": Head(divisor=root, start=d_k**0.25),
        "not divided, small start": Head(start=d_k**-0.25),
        "not divided, torch's start": Head(start=math.sqrt(1 / 3)),
        "learned temperature": Head(divisor=root, learned=True),
        "QK-norm": Head(divisor=1 / root, learned=True, normalised=True),
    }


def start_parameters(d_k: int, head: Head, seeds: Sequence[int], num_rates: int = 1) -> list[Tensor]:
    """Draw the parameters of all runs: embeddings of keys and of values, W_Q, W_K, W_O, logarithm of the factor."""
    runs = []
    narrow = 1 / math.sqrt(D_MODEL)
    shapes = [(NUM_SYMBOLS, D_MODEL)] * 2 + [(D_MODEL, d_k)] * 2 + [(D_MODEL, NUM_SYMBOLS)]
    stds = [1.0, 1.0, head.start * narrow, head.start * narrow, narrow]
    for seed in seeds:
        generator = torch.Generator().manual_seed(seed)
        drawn = [std * torch.randn(shape, generator=generator) for shape, std in zip(shapes, stds, strict=True)]
        runs += [[*drawn, torch.zeros(1, 1)]] * num_rates
    return [torch.stack(group).requires_grad_() for group in zip(*runs, strict=True)]


def score_table(parameters: Sequence[Tensor], head: Head) -> Tensor:
    """Scores of all symbols as queries against all symbols as keys, ``(runs, NUM_SYMBOLS, NUM_SYMBOLS)``."""
    symbols, _, w_query, w_key, _, log_factor = parameters
    query, key = symbols @ w_query, symbols @ w_key  # (runs, NUM_SYMBOLS, d_k)
    if head.normalised:
        query, key = F.normalize(query, dim=-1), F.normalize(key, dim=-1)
    scores = query @ key.transpose(1, 2) / head.divisor
    return scores * log_factor.exp() if head.learned else scores


def draw_batch(generators: Sequence[torch.Generator], num_rates: int = 1) -> tuple[Tensor, Tensor]:
    """Draw tasks: keys and values, each ``(runs, BATCH, NUM_PAIRS)``; what is asked for is the first pair."""
    keys = [torch.rand(BATCH, NUM_SYMBOLS, generator=g).argsort(dim=1)[:, :NUM_PAIRS] for g in generators]
    values = [torch.randint(NUM_SYMBOLS, (BATCH, NUM_PAIRS), generator=g) for g in generators]
    return tuple(torch.stack(drawn).repeat_interleave(num_rates, dim=0) for drawn in (keys, values))


def weights_of(parameters: Sequence[Tensor], head: Head, keys: Tensor) -> Tensor:
    """Attention weights of each run on its batch, ``(runs, BATCH, NUM_PAIRS)``; the right pair is the first."""
    table = score_table(parameters, head)
    run = torch.arange(len(table))[:, None, None]
    return table[run, keys[:, :, :1], keys].softmax(dim=-1)


def losses_of(parameters: Sequence[Tensor], head: Head, keys: Tensor, values: Tensor) -> Tensor:
    """Mean loss of each run on its batch, ``(runs,)``."""
    weights = weights_of(parameters, head, keys)
    run = torch.arange(len(weights))[:, None, None]
    logits_of_value = parameters[1] @ parameters[4]  # (runs, NUM_SYMBOLS, NUM_SYMBOLS)
    logits = (weights.unsqueeze(-1) * logits_of_value[run, values]).sum(dim=2)  # (runs, BATCH, NUM_SYMBOLS)
    loss = F.cross_entropy(logits.flatten(0, 1), values[:, :, 0].flatten(), reduction="none")
    return loss.view(len(weights), BATCH).mean(dim=1)


def train(
    d_k: int,
    head: Head,
    rates: Sequence[float],
    seeds: Sequence[int],
    num_steps: int = 300,
    optimizer: str = "adam",
    watch: Callable[[Tensor], None] | None = None,
) -> Tensor:
    """Train one run for each seed and learning rate.

    Args:
        d_k: the width of the head.
        head: how it makes scores, and where it starts.
        rates: learning rates.
        seeds: of the start and of the tasks.
        num_steps: updates of the parameters.
        optimizer: ``"adam"`` with its usual constants, or ``"sgd"`` without momentum.
        watch: is called in each step with the attention weights, ``(seeds * rates, BATCH, NUM_PAIRS)``.

    Returns:
        The training losses ``(num_steps, seeds, rates)``.

    Raises:
        ValueError: if there is no such optimizer.
    """
    if optimizer not in ("adam", "sgd"):
        raise ValueError(f"optimizer: expected 'adam' or 'sgd', got {optimizer!r}")
    parameters = start_parameters(d_k, head, seeds, len(rates))
    parameters = parameters if head.learned else parameters[:-1]
    unused = [] if head.learned else [torch.zeros(len(parameters[0]), 1, 1)]
    rate = torch.tensor(list(rates) * len(seeds))[:, None, None]
    slower = (1.0, 1.0, head.slower, head.slower, 1.0, 1.0)
    moments = [(torch.zeros_like(p), torch.zeros_like(p)) for p in parameters]
    generators = [torch.Generator().manual_seed(100 + seed) for seed in seeds]
    losses = []
    for step in range(1, num_steps + 1):
        keys, values = draw_batch(generators, len(rates))
        if watch is not None:
            with torch.no_grad():
                watch(weights_of([*parameters, *unused], head, keys))
        loss = losses_of([*parameters, *unused], head, keys, values)  # (runs,)
        losses.append(loss.detach())
        gradients = torch.autograd.grad(loss.sum(), parameters)
        with torch.no_grad():
            for p, gradient, (first, second), divisor in zip(parameters, gradients, moments, slower, strict=False):
                if optimizer == "adam":
                    first.lerp_(gradient, 0.1)
                    second.lerp_(gradient * gradient, 0.001)
                    gradient = (first / (1 - 0.9**step)) / ((second / (1 - 0.999**step)).sqrt() + 1e-8)
                p -= rate / divisor * gradient
    return torch.stack(losses).view(num_steps, len(seeds), len(rates))


def move_of_scores(d_k: int, head: Head, optimizer: str, seeds: Sequence[int] = range(8), rate: float = 1e-4) -> Tensor:
    """How far the scores move in the first update of W_Q and W_K alone, divided by the learning rate.

    Args:
        d_k: the width of the head.
        head: how it makes scores, and where it starts.
        optimizer: ``"adam"`` or ``"sgd"``.
        seeds: of the start and of the tasks.
        rate: the learning rate, small enough for the answer not to depend on it.

    Returns:
        The root mean square over all pairs of symbols, ``(seeds,)``.
    """
    parameters = start_parameters(d_k, head, seeds)
    batch = draw_batch([torch.Generator().manual_seed(100 + seed) for seed in seeds])
    projections = parameters[2:4]
    gradients = torch.autograd.grad(losses_of(parameters, head, *batch).sum(), projections)
    with torch.no_grad():
        before = score_table(parameters, head)
        for p, gradient in zip(projections, gradients, strict=True):
            # Adam's first update divides every entry of the gradient by its own magnitude.
            p -= rate * (gradient / (gradient.abs() + 1e-8) if optimizer == "adam" else gradient)
        return (score_table(parameters, head) - before).square().mean(dim=(1, 2)).sqrt() / rate
