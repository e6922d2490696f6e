"""Taking the small copiers of chapter 13 apart: cut a head, move what it wrote, or ask in another order.

Source: Olsson et al. (2022), "In-context Learning and Induction Heads", for the circuit; Wang et al. (2023),
"Interpretability in the Wild", for patching.

Dimension names: ``batch`` texts of ``2 * period`` tokens, whose second half repeats the first.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import combinations

import torch
from torch import Tensor, nn

from experiments.induction.copying import AttentionOnly, measure
from transformer_course.interpret.interventions import head_says, what_heads_say
from transformer_course.multi_head_attention import MultiHeadAttention

MOVED_BY = 5  # places, by which what a head wrote is moved


def attentions(model: nn.Module) -> list[MultiHeadAttention]:
    """List the attention modules of a copier, one for each layer."""
    if isinstance(model, AttentionOnly):
        return [attention.layers for attention in model.attentions]
    return [block.self_attention for block in model.blocks]


def some_of(num_heads: int) -> list[tuple[int, ...]]:
    """List all ways to take some heads of a layer.

    >>> some_of(3)
    [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)]
    """
    return [heads for number in range(1, num_heads + 1) for heads in combinations(range(num_heads), number)]


@contextmanager
def heads_cut(model: nn.Module, layer: int, heads: Sequence[int]) -> Iterator[None]:
    """Let some heads of a layer say 0: zero-ablation."""
    with ExitStack() as stack:
        for head in heads:
            stack.enter_context(head_says(attentions(model)[layer], head, 0.0))
        yield


def accuracy_without(model: nn.Module, layer: int, heads: Sequence[int], tokens: Tensor) -> float:
    """Measure how well a copier copies without some heads of a layer."""
    with heads_cut(model, layer, heads):
        return measure(model, tokens).accuracy


def moved(places: Tensor, period: int, by: int = MOVED_BY) -> Tensor:
    """Move places ``1 .. period - 1`` in a circle; place 0 has nothing before it and takes no part.

    >>> moved(torch.tensor([1, 2, 3, 4]), period=5, by=1)
    tensor([2, 3, 4, 1])
    """
    return (places - 1 + by) % (period - 1) + 1


@torch.no_grad()
def copies_with_moved_output(
    model: nn.Module, heads: Sequence[int], tokens: Tensor, by: int = MOVED_BY
) -> tuple[float, float]:
    """Move what some heads of layer 0 wrote in the first half, and look which letter comes next.

    Args:
        model: a copier.
        heads: of layer 0.
        tokens: ``(batch, 2 * period)``.
        by: places in the first half.

    Returns:
        How often the most probable token is the right one, and how often the one that far behind it.
    """
    period, attention = tokens.shape[1] // 2, attentions(model)[0]
    places = torch.arange(1, period)
    with what_heads_say(attention) as kept:
        model(tokens[:, :-1])
    said = kept[0].clone()  # (batch, 2 * period - 1, heads, d_k)
    said[:, moved(places, period, by)] = kept[0][:, places]
    with ExitStack() as stack:
        for head in heads:
            stack.enter_context(head_says(attention, head, said[:, :, head]))
        answers = model(tokens[:, :-1])[:, period:].argmax(dim=-1)  # (batch, period - 1)
    right, behind = tokens[:, places], tokens[:, moved(places, period, by)]
    return (answers == right).double().mean().item(), (answers == behind).double().mean().item()


@torch.no_grad()
def answers_out_of_order(model: nn.Module, first: Tensor, generator: torch.Generator) -> tuple[Tensor, Tensor, Tensor]:
    """Ask for what followed each letter, in another order than that of the first half.

    Args:
        model: a copier.
        first: ``(batch, period)``, different letters.
        generator: for the order.

    Returns:
        Three tensors with an entry for each question: the place of the question, the place of the right answer in the
        first half, and whether the model has it right. The last letter of the first half has no successor.
    """
    batch, period = first.shape
    order = torch.rand(batch, period, generator=generator).argsort(dim=1)  # (batch, period)
    text = torch.cat([first, first.gather(1, order)], dim=1)  # (batch, 2 * period)
    answers = model(text).argmax(dim=-1)[:, period:]  # (batch, period)
    asked = torch.arange(period, 2 * period).expand(batch, -1)
    known = order < period - 1
    right = answers == first.gather(1, (order + 1).clamp(max=period - 1))
    return asked[known], order[known] + 1, right[known]
