"""Wrong answers, written otherwise than those that the checks hold: exercise 02."""

import torch


def gru_cell__gates_by_rows(x, hidden, weight_ih, weight_hh, bias_ih, bias_hh):
    """`z` and `1 - z` change places"""
    d = hidden.shape[1]
    word = x @ weight_ih.mT + bias_ih
    state = hidden @ weight_hh.mT + bias_hh
    r = 1 / (1 + (-(word[:, :d] + state[:, :d])).exp())
    z = 1 / (1 + (-(word[:, d : 2 * d] + state[:, d : 2 * d])).exp())
    n = torch.tanh(word[:, 2 * d :] + r * state[:, 2 * d :])
    return torch.lerp(hidden, n, z)


def encode__list_of_rows(embedded, lengths, cell, hidden):
    """the cell reads the padding too"""
    columns = []
    for position in range(embedded.shape[1]):
        hidden = cell(embedded.select(1, position), hidden)
        columns.append(hidden * (position < lengths).to(hidden).view(-1, 1))
    return torch.stack(columns, 1) if columns else hidden.new_zeros(len(hidden), 0, hidden.shape[1]), hidden


def length_penalty__written_out(length, alpha):
    """length ** alpha"""
    return torch.tensor(float(length)).pow(alpha).item()
