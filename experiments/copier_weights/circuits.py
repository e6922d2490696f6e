"""The circuits of a copier that is attention alone, as products of its weights: no text is run through it.

Source: Elhage et al. (2021), "A Mathematical Framework for Transformer Circuits", for QK and OV circuits, for
composition through the keys, and for eigenvalues as a measure of copying.

What the products of layer 1 and the notes leave out: biases, and the divisor of the norms of layer 1 and of the last
norm, which would rescale a whole row. The norm of layer 0 reads a letter and nothing else, so there it is exact, and so
are the scores of layer 0. Row vectors are words, as in the book: ``x @ w``.

Dimension names: ``heads`` of a layer; ``letters`` of the alphabet; ``d_model`` the width; ``d_k`` that of a head.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from experiments.induction.copying import AttentionOnly
from transformer_course.multi_head_attention import MultiHeadAttention
from transformer_course.positional_encoding import rotary_encoding

DISTANCES = range(7, 32)  # from a question to its answer, in halves of 8 to 32 letters


@dataclass
class Parts:
    """The matrices of each head of a layer: three of ``(heads, d_model, d_k)``, and ``(heads, d_k, d_model)``."""

    query: Tensor
    key: Tensor
    value: Tensor
    output: Tensor


def parts(attention: MultiHeadAttention) -> Parts:
    """Cut the four matrices of an attention module into heads."""
    into = [
        layer.weight.detach().unflatten(0, (attention.num_heads, attention.d_k)).mT
        for layer in (attention.w_query, attention.w_key, attention.w_value)
    ]
    return Parts(*into, attention.w_output.weight.detach().T.unflatten(0, (attention.num_heads, attention.d_k)))


def turned_scores(query: Tensor, key: Tensor, distance: int) -> Tensor:
    """Compare queries ``(..., m, d_k)`` with keys ``(..., n, d_k)`` that stand so many positions before them."""
    turned = rotary_encoding(query.unsqueeze(-2), start=distance).squeeze(-2)
    return turned @ key.mT / math.sqrt(query.shape[-1])  # (..., m, n)


def through_norm(norm: torch.nn.LayerNorm, x: Tensor) -> Tensor:
    """Do what a norm does to vectors, but for its divisor and its bias: subtract the mean, multiply by the gains."""
    return norm.weight.detach() * (x - x.mean(dim=-1, keepdim=True))


@torch.no_grad()
def scores_by_distance(model: AttentionOnly, longest: int) -> Tensor:
    """Give the scores of layer 0, mean over the letters that are attended to: ``(heads, letters, longest)``.

    Because a score is linear in the key, the score of the mean key is the mean score: nothing is approximated.

    Args:
        model: the copier.
        longest: how many distances, from 0.
    """
    attention = model.attentions[0].layers
    letters = model.norms[0](model.token.weight)  # (letters, d_model), exact: layer 0 reads letters alone
    query, key = (
        layer(letters).unflatten(-1, (attention.num_heads, attention.d_k)).transpose(0, 1)  # (heads, letters, d_k)
        for layer in (attention.w_query, attention.w_key)
    )
    mean = key.mean(dim=1, keepdim=True)  # (heads, 1, d_k)
    return torch.cat([turned_scores(query, mean, distance) for distance in range(longest)], dim=-1)


def weight_on_previous(by_distance: Tensor) -> Tensor:
    """Say which weight the scores by distance give to the previous position, mean over letters and positions from 1.

    Args:
        by_distance: ``(heads, letters, length)``; the position t chooses among the distances 0 to t.

    Returns:
        A weight for each head: ``(heads,)``.
    """
    at = [by_distance[..., : t + 1].softmax(dim=-1)[..., 1] for t in range(1, by_distance.shape[-1])]
    return torch.stack(at).mean(dim=(0, 2))


def rows_on_previous(by_distance: Tensor) -> Tensor:
    """Say in which share of the rows, of a letter at a position from 1, the previous position has the highest score."""
    length = by_distance.shape[-1]
    at = [by_distance[..., : t + 1].argmax(dim=-1) == 1 for t in range(1, length)]
    return torch.stack(at).double().mean(dim=(0, 2))


@torch.no_grad()
def notes(model: AttentionOnly) -> Tensor:
    """Say what each head of layer 0 writes of each letter that it attends to: ``(heads, letters, d_model)``."""
    of = parts(model.attentions[0].layers)
    return model.norms[0](model.token.weight) @ of.value @ of.output


def finds(model: AttentionOnly, note: Tensor, distance: int, of: Parts | None = None) -> Tensor:
    """Give the QK circuit of each head of layer 1 through a note: the scores ``(heads, letters, letters)``.

    Args:
        model: the copier.
        note: ``(letters, d_model)``, what stands at the key, for each letter that it may be about.
        distance: from the query to the key.
        of: other matrices than those of layer 1.

    Returns:
        In the row of a letter the scores of its query with all notes.
    """
    of, norm = of or parts(model.attentions[1].layers), model.norms[1]
    query = through_norm(norm, model.token.weight.detach()) @ of.query  # (heads, letters, d_k)
    return turned_scores(query, through_norm(norm, note) @ of.key, distance)


def mean_finds(model: AttentionOnly, note: Tensor, of: Parts | None = None) -> Tensor:
    """Give the mean of ``finds`` over the distances of the training: ``(heads, letters, letters)``."""
    return torch.stack([finds(model, note, distance, of) for distance in DISTANCES]).mean(dim=0)


def says(model: AttentionOnly, layer: int = 1, of: Parts | None = None) -> Tensor:
    """Give the OV circuit of each head of a layer, up to the logits: ``(heads, letters, letters)``.

    Returns:
        In the row of a letter what attending to it adds to the logits of all letters.
    """
    of = of or parts(model.attentions[layer].layers)
    letters = through_norm(model.norms[layer], model.token.weight.detach())  # (letters, d_model)
    return through_norm(model.norms[2], letters @ of.value @ of.output) @ model.output.weight.detach().T


def on_diagonal(matrix: Tensor) -> Tensor:
    """Say in which share of the rows of ``(..., n, n)`` the diagonal entry is the largest.

    >>> on_diagonal(torch.tensor([[2.0, 1.0], [3.0, 0.0]])).item()
    0.5
    """
    own = torch.arange(matrix.shape[-1])
    return (matrix.argmax(dim=-1) == own).double().mean(dim=-1)


def copying_score(matrix: Tensor) -> Tensor:
    """Say how far the eigenvalues of ``(..., n, n)`` are positive: their sum over the sum of their magnitudes.

    Source: Elhage et al. (2021), section "Summarizing OV/QK matrices". A matrix that copies has 1.

    >>> copying_score(torch.tensor([[0.0, 1.0], [1.0, 0.0]])).item()  # eigenvalues 1 and -1
    0.0
    """
    values = torch.linalg.eigvals(matrix.double())
    return values.sum(dim=-1).real / values.abs().sum(dim=-1)


def random_parts(of: Parts, generator: torch.Generator) -> Parts:
    """Draw random matrices for each head, with the Frobenius norms of those that are there."""

    def draw(matrix: Tensor) -> Tensor:
        drawn = torch.randn(matrix.shape, generator=generator).to(matrix)
        size = torch.linalg.matrix_norm(matrix) / torch.linalg.matrix_norm(drawn)
        return drawn * size[:, None, None]

    return Parts(draw(of.query), draw(of.key), draw(of.value), draw(of.output))


@torch.no_grad()
def divisor_of_layer_1(model: AttentionOnly, writers: Sequence[int]) -> float:
    """Say by what the norm of layer 1 divides, mean over all pairs of a letter and a note about another.

    Args:
        model: the copier.
        writers: the heads whose notes stand beside the letter; the others write the mean of theirs.
    """
    note = notes(model)  # (heads, letters, d_model)
    rest = [head for head in range(len(note)) if head not in writers]
    constant = note[rest].mean(dim=1).sum(dim=0) + model.attentions[0].layers.w_output.bias
    pairs = model.token.weight[:, None] + note[list(writers)].sum(dim=0)[None] + constant  # (letters, letters, d_model)
    return pairs.std(dim=-1, correction=0).mean().item()
