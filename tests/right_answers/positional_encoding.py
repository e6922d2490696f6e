"""Right answers to exercise 08 in unusual forms.

A function belongs to the task that its name begins with, up to two underscores in a row.
"""

import math

import torch
from torch import nn

from transformer_course.common.validation import (
    require_even,
    require_not_negative,
    require_positions,
    require_positive,
)


def sinusoidal_encoding__loops(length, d_model):
    """Compute one number after the other."""
    require_not_negative("length", length)
    require_positive("d_model", d_model)
    encoding = torch.zeros(length, d_model)
    for p in range(length):
        for column in range(d_model):
            angle = p / 10_000 ** ((column - column % 2) / d_model)
            encoding[p, column] = math.cos(angle) if column % 2 else math.sin(angle)
    return encoding


def sinusoidal_encoding__shifted_sines(length, d_model):
    """Write a cosine as a sine a quarter of a turn ahead."""
    require_not_negative("length", length)
    require_positive("d_model", d_model)
    columns = torch.arange(d_model)
    speed = torch.exp(-(columns // 2 * 2) / d_model * math.log(10_000))
    angles = torch.arange(length)[:, None] * speed + columns % 2 * math.pi / 2
    return angles.sin().to(torch.get_default_dtype())


def order_gap__inverse_order(x, order, encoding=None):
    """Bring the second result back into the order of the first."""
    added = torch.zeros_like(x) if encoding is None else encoding
    results = []
    for words in (x + added, x[order] + added):
        weights = torch.softmax(words @ words.T / words.shape[1] ** 0.5, dim=1)
        results.append(weights @ words)
    back = torch.tensor(order).argsort()
    return float((results[0] - results[1][back]).abs().max())


def order_gap__loop(x, order, encoding=None):
    """Compare word by word."""
    places = [0 * x[0]] * len(x) if encoding is None else list(encoding)

    def attend(words):
        outputs = []
        for query in words:
            weights = torch.softmax(torch.stack([query @ key for key in words]) / math.sqrt(len(query)), 0)
            outputs.append(sum(w * value for w, value in zip(weights, words, strict=True)))
        return outputs

    before = attend([word + place for word, place in zip(x, places, strict=True)])
    after = attend([x[old] + place for old, place in zip(order, places, strict=True)])
    return max((before[old] - after[new]).abs().max().item() for new, old in enumerate(order))


def shift_matrix__blocks(offset, d_model):
    """Put blocks on the diagonal."""
    require_even("d_model", d_model)
    angles = [offset * 10_000 ** (-i / d_model) for i in range(0, d_model, 2)]
    return torch.block_diag(*(torch.tensor([[math.cos(a), math.sin(a)], [-math.sin(a), math.cos(a)]]) for a in angles))


def shift_matrix__solved(offset, d_model):
    """Solve for the matrix from as many positions as there are columns."""
    require_even("d_model", d_model)
    speed = 10_000 ** (-torch.arange(0, d_model, 2).double() / d_model)

    def encode(p):
        angles = p[:, None] * speed
        return torch.stack([angles.sin(), angles.cos()], -1).flatten(1)

    matrix = torch.zeros(d_model, d_model, dtype=torch.float64)
    for i in range(0, d_model, 2):  # one pair at a time: its two numbers a quarter of a turn apart
        quarter = torch.tensor([0.0, math.pi / 2 / speed[i // 2]], dtype=torch.float64)
        before, after = (encode(quarter + shift)[:, i : i + 2] for shift in (0, offset))
        matrix[i : i + 2, i : i + 2] = torch.linalg.solve(before, after).T
    return matrix.to(torch.get_default_dtype())


class TransformerEmbedding__functional(nn.Module):
    """Scale the table, mask padding by hand, and drop with the function."""

    def __init__(self, vocab_size, d_model, max_length=512, dropout=0.0, pad_id=0):
        super().__init__()
        self.limit, self.p = max_length, dropout
        self.token = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        nn.init.uniform_(self.token.weight)
        self.token.weight.data[pad_id] = 0
        self.register_buffer("places", sinusoidal_encoding__loops(max_length, d_model), persistent=False)

    def forward(self, tokens, start=0):
        """Embed."""
        require_positions("tokens", tokens, start, self.limit)
        places = torch.arange(start, start + tokens.size(1))
        words = nn.functional.embedding(tokens, self.token.weight * math.sqrt(self.token.embedding_dim))
        pad = (tokens == self.token.padding_idx)[..., None]
        words = torch.where(pad, words.detach(), words)
        return nn.functional.dropout(words + self.places[places], self.p, training=self.training)


class TransformerEmbedding__of_a_wrong_table(TransformerEmbedding__functional):
    """Have sines and cosines exchanged: that is a mistake of task 1, which this task does not mind."""

    def __init__(self, *sizes, **options):
        super().__init__(*sizes, **options)
        self.places = self.places.unflatten(-1, (-1, 2)).flip(-1).flatten(-2)


class TransformerEmbedding__computed_anew(TransformerEmbedding__functional):
    """Compute the places in every call."""

    def forward(self, tokens, start=0):
        """Embed."""
        require_positions("tokens", tokens, start, self.limit)
        words = self.token(tokens) * self.token.embedding_dim**0.5
        places = sinusoidal_encoding__loops(start + tokens.shape[1], words.shape[-1])[start:].to(words)
        return nn.functional.dropout(words + places, self.p, self.training)


def fixed_embedding__word_by_word(tokens, table, encoding):
    """Go through the places."""
    columns = [table[tokens[:, p]] * table.shape[1] ** 0.5 + encoding[p] for p in range(tokens.shape[1])]
    return torch.stack(columns, 1)
