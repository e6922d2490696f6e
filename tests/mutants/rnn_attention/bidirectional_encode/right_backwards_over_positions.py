"""Walks through the columns from the right, and begins at each last real word."""

CHANGES = [
    (
        "from_right, _ = encode(turn(embedded), lengths, backward_cell, hidden)  # (batch, length, d_hidden)",
        """states, state = [], hidden
    for column in reversed(range(embedded.shape[1])):
        real = (column < lengths).unsqueeze(1)
        state = torch.where(real, backward_cell(embedded[:, column], state), state)
        states.insert(0, state.masked_fill(~real, 0.0))
    if not states:
        return torch.cat([from_left, from_left], dim=-1)
    from_right = torch.stack(states, dim=1)""",
    ),
    (
        "return torch.cat([from_left, turn(from_right)], dim=-1)",
        "return torch.cat([from_left, from_right], dim=-1)",
    ),
]
