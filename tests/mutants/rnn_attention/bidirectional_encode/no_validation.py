"""Takes the arguments as they come."""

import torch

SAYS = "does not look at its arguments"


def bidirectional_encode(embedded, lengths, forward_cell, backward_cell, hidden):
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
