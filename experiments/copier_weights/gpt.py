"""The circuits of the small GPT that copies, as far as its weights show them: positions are learned, so they do.

Source: Elhage et al. (2021), as in ``circuits.py``. Layer 0 reads a letter and a position, so the mean of its scores
over all pairs of letters is exact. Between the layers stands a feed-forward network, which no product of matrices
passes; here a letter is sent through it alone, without what the heads of layer 0 add at its position.

Dimension names: as in ``circuits.py``; ``positions`` that the GPT has an embedding for.
"""

import math
from collections.abc import Sequence
from contextlib import ExitStack

import torch
from torch import Tensor

from experiments.copier_weights.circuits import parts, through_norm
from transformer_course.interpret.interventions import weights_changed
from transformer_course.language_model import LanguageModel
from transformer_course.masking import causal_mask


def read_in_layer_0(model: LanguageModel) -> Tensor:
    """Give what layer 0 reads of each letter at each position, after its norm: ``(positions, letters, d_model)``."""
    x = model.position.weight[:, None] + model.token.weight[None]  # (positions, letters, d_model)
    return model.blocks[0].norm_1(x)


@torch.no_grad()
def weights_of_positions(model: LanguageModel) -> Tensor:
    """Give the attention of layer 0 if scores were those of positions, the mean over all pairs of letters.

    Returns:
        The weights ``(heads, positions, positions)``.
    """
    attention, x = model.blocks[0].self_attention, read_in_layer_0(model)
    query, key = (
        layer(x).mean(dim=1).unflatten(-1, (attention.num_heads, attention.d_k)).transpose(0, 1)
        for layer in (attention.w_query, attention.w_key)  # each (heads, positions, d_k)
    )
    scores = query @ key.mT / math.sqrt(attention.d_k)  # (heads, positions, positions)
    return scores.masked_fill(~causal_mask(len(x)), -math.inf).softmax(dim=-1)


def writing_pair(weights: Tensor, period: int) -> tuple[int, int, Tensor]:
    """Find the two heads of layer 0 that read two neighbouring letters at one position, wherever that is.

    A letter j is the answer to a question at position ``period + j - 1``, and its note must stand there or before.

    Args:
        weights: of positions, ``(heads, positions, positions)``.
        period: letters of a half.

    Returns:
        The head that reads letter j, the one that reads the letter before it, and for each j from 1 the position where
        both do so best: ``(period - 1,)``.
    """
    best, places = [], []
    for j in range(1, period):
        together = weights[:, None, : period + j, j] * weights[None, :, : period + j, j - 1]  # (heads, heads, places)
        high, where = together.max(dim=-1)
        best.append(high)
        places.append(where)
    letter, before = divmod(int(torch.stack(best).mean(dim=0).argmax()), len(weights))
    return letter, before, torch.stack(places)[:, letter, before]


def read_there(weights: Tensor, places: Tensor, before: int) -> Tensor:
    """Say which weight the positions of the notes put on letter j, or as many letters before it: mean over j.

    Args:
        weights: ``(..., length, length)``.
        places: of the notes on letters 1, 2, ...
        before: 0 for letter j itself, 1 for the one before.
    """
    return weights[..., places, torch.arange(1, len(places) + 1) - before].mean(dim=-1)


@torch.no_grad()
def notes(model: LanguageModel) -> Tensor:
    """Say what each head of layer 0 writes of each letter, mean over positions: ``(heads, letters, d_model)``."""
    of = parts(model.blocks[0].self_attention)
    return read_in_layer_0(model).mean(dim=0) @ of.value @ of.output


@torch.no_grad()
def finds(model: LanguageModel, note: Tensor, with_feed_forward: bool) -> Tensor:
    """Give the QK circuit of each head of layer 1 through a note: the scores ``(heads, letters, letters)``.

    Args:
        model: the copier.
        note: ``(letters, d_model)``, what stands at the key.
        with_feed_forward: whether the letter at the query has passed the feed-forward network of layer 0.
    """
    block, of = model.blocks[0], parts(model.blocks[1].self_attention)
    letter = model.token.weight
    if with_feed_forward:
        letter = letter + block.feed_forward(block.norm_2(letter))
    query = through_norm(model.blocks[1].norm_1, letter) @ of.query  # (heads, letters, d_k)
    return query @ (through_norm(model.blocks[1].norm_1, note) @ of.key).mT


@torch.no_grad()
def says(model: LanguageModel, note: Tensor) -> Tensor:
    """Give the OV circuit of each head of layer 1, from a note about a letter to the logits, as ``finds``."""
    of = parts(model.blocks[1].self_attention)
    written = through_norm(model.blocks[1].norm_1, note) @ of.value @ of.output  # (heads, letters, d_model)
    return through_norm(model.norm, written) @ model.token.weight.T


@torch.no_grad()
def logits_with(model: LanguageModel, tokens: Tensor, told: Sequence[dict[int, Tensor]]) -> Tensor:
    """Run the GPT with heads that attend as they are told.

    Args:
        model: the copier.
        tokens: ``(batch, length)``.
        told: for each layer a pattern by head, ``(rows, length)``: it takes the place of the last rows.
    """
    with ExitStack() as stack:
        for block, patterns in zip(model.blocks, told, strict=True):

            def change(weights: Tensor, patterns: dict[int, Tensor] = patterns) -> Tensor:
                changed = weights.clone()
                for head, pattern in patterns.items():
                    changed[:, head, -len(pattern) :] = pattern
                return changed

            stack.enter_context(weights_changed(block.self_attention, change))
        return model(tokens)
