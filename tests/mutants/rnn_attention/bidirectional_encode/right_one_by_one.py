"""Reads one sentence at a time, and lets encode look at the arguments."""

import torch

from transformer_course.rnn_encoder_decoder import encode


def bidirectional_encode(embedded, lengths, forward_cell, backward_cell, hidden):
    encode(embedded, lengths, forward_cell, hidden)
    rows = []
    for row, real in enumerate(lengths.tolist()):
        halves = []
        for cell, order in ((forward_cell, range(real)), (backward_cell, range(real - 1, -1, -1))):
            state, states = hidden[row : row + 1], [None] * real
            for position in order:
                state = cell(embedded[row : row + 1, position], state)
                states[position] = state
            halves.append(torch.cat([*states, hidden.new_zeros(embedded.shape[1] - real, hidden.shape[1])]))
        rows.append(torch.cat(halves, dim=1))
    return torch.stack(rows)
