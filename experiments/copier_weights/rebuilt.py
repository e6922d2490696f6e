"""A copier whose heads attend as they are told, and one that is three products of its weights and nothing else.

Dimension names: ``batch`` texts of ``length = 2 * period - 1`` letters, which is all of a text that is written twice
but its last letter.
"""

import math
from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from experiments.copier_weights.circuits import finds, notes, parts, says, through_norm
from experiments.induction.copying import AttentionOnly
from transformer_course.masking import causal_mask
from transformer_course.multi_head_attention import merge_heads, split_heads
from transformer_course.positional_encoding import rotary_encoding
from transformer_course.scaled_dot_product_attention import scaled_dot_product_attention

Patterns = Mapping[tuple[int, int], Tensor]  # of layer and head; zeros cut the head


def previous_token(length: int) -> Tensor:
    """Attend to the position before, the first one to itself: ``(length, length)``.

    >>> previous_token(3).tolist()
    [[1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    """
    return torch.eye(length)[(torch.arange(length) - 1).clamp(min=0)]


def after_the_earlier(tokens: Tensor, further: int = 0) -> Tensor:
    """Attend to the position after the last earlier occurrence of the current letter; a letter without one to nothing.

    Args:
        tokens: ``(batch, length)``.
        further: as many positions too far, if they are not beyond the query.

    Returns:
        The weights ``(batch, length, length)``.

    >>> after_the_earlier(torch.tensor([[3, 5, 3]]))[0].tolist()
    [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    """
    length = tokens.shape[1]
    place = torch.arange(length)
    same = (tokens.unsqueeze(2) == tokens.unsqueeze(1)) & (place[None, :] < place[:, None])  # (batch, query, key)
    last = torch.where(same, place, -1).amax(dim=-1)  # (batch, length), -1: none
    at = (last + 1 + further).clamp(max=length - 1)
    weights = torch.eye(length)[at] * ((last >= 0) & (at <= place)).unsqueeze(-1)
    return weights  # (batch, length, length)


@torch.no_grad()
def logits_of(
    model: AttentionOnly, tokens: Tensor, patterns: Patterns | None = None, divisors: Sequence[float | None] = ()
) -> Tensor:
    """Run a copier, but let some heads attend as they are told.

    Args:
        model: the copier.
        tokens: ``(batch, length)``.
        patterns: for each ``(layer, head)`` to be changed, weights that broadcast to ``(batch, length, length)``.
        divisors: of the three norms, in their order; None leaves a norm as it is.

    Returns:
        The logits ``(batch, length, letters)``.
    """
    divisors = (*divisors, None, None, None)

    def normed(which: int, x: Tensor) -> Tensor:
        norm, divisor = model.norms[which], divisors[which]
        return norm(x) if divisor is None else through_norm(norm, x) / divisor + norm.bias

    x = model.token(tokens)  # (batch, length, d_model)
    for layer, attention in enumerate(each.layers for each in model.attentions):
        y = normed(layer, x)
        query, key, value = (
            split_heads(project(y), attention.num_heads)  # (batch, heads, length, d_k)
            for project in (attention.w_query, attention.w_key, attention.w_value)
        )
        _, weights = scaled_dot_product_attention(
            rotary_encoding(query), rotary_encoding(key), value, causal_mask(tokens.shape[1])
        )
        for (where, head), pattern in (patterns or {}).items():
            if where == layer:
                weights[:, head] = pattern
        x = x + attention.w_output(merge_heads(weights @ value))
    return model.output(normed(2, x))


@torch.no_grad()
def mean_divisors(model: AttentionOnly, tokens: Tensor) -> list[float]:
    """Return by what the three norms divide on some texts, in the mean."""
    kept = []
    handles = [
        norm.register_forward_pre_hook(lambda _, inputs: kept.append(inputs[0].std(dim=-1, correction=0).mean().item()))
        for norm in model.norms
    ]
    model(tokens)
    for handle in handles:
        handle.remove()
    return kept


@torch.no_grad()
def products_alone(
    model: AttentionOnly, tokens: Tensor, writers: Sequence[int], copiers: Sequence[int], divisor: float
) -> tuple[Tensor, Tensor, Tensor]:
    """Copy with three products of weights: notes of the letter before, QK through these notes, OV of the letters.

    No head of layer 0 attends to anything, no bias is added, and no norm divides by anything but a constant. Of all
    that a score of layer 1 depends on, it has the letter at the query and the note at the key.

    Args:
        model: the copier whose weights these are.
        tokens: ``(batch, length)``.
        writers: the heads of layer 0 whose notes are used, as if each attended to the position before.
        copiers: the heads of layer 1.
        divisor: of the norm of layer 1, one number for all positions.

    Returns:
        The logits ``(batch, length, letters)``, the weights ``(batch, copiers, length, length)`` and the scores.
    """
    length = tokens.shape[1]
    note = notes(model)[list(writers)].sum(dim=0)  # (letters, d_model)
    noted = tokens[:, (torch.arange(length) - 1).clamp(min=0)]  # (batch, length): the letter that a key is about
    table = torch.stack([finds(model, note, distance) for distance in range(length)])  # (distance, heads, ...)
    table = table[:, list(copiers)] / divisor**2
    place = torch.arange(length)
    distance = (place[:, None] - place[None, :]).clamp(min=0)  # (length, length)
    scores = table[distance[None], :, tokens[:, :, None], noted[:, None, :]]  # (batch, length, length, copiers)
    scores = scores.permute(0, 3, 1, 2).masked_fill(~causal_mask(length), -math.inf)
    weights = scores.softmax(dim=-1)  # (batch, copiers, length, length)
    said = says(model)[list(copiers)][:, tokens].transpose(0, 1)  # (batch, copiers, length, letters)
    return (weights @ said).sum(dim=1), weights, scores


@torch.no_grad()
def scores_in_layer_1(model: AttentionOnly, tokens: Tensor) -> Tensor:
    """Return the scores of all heads of layer 1 before the softmax: ``(batch, heads, length, length)``."""
    x = model.token(tokens)
    x = model.norms[1](x + model.attentions[0](model.norms[0](x))[0])
    of, layers = parts(model.attentions[1].layers), model.attentions[1].layers
    query, key = (
        rotary_encoding(x.unsqueeze(1) @ matrix + bias.unflatten(0, (layers.num_heads, 1, layers.d_k)))
        for matrix, bias in ((of.query, layers.w_query.bias), (of.key, layers.w_key.bias))
    )
    return query @ key.mT / math.sqrt(layers.d_k)
