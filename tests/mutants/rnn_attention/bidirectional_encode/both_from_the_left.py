"""Reads from left to right twice."""

SAYS = "left to right too"
CHANGES = [
    (
        "from_right, _ = encode(turn(embedded), lengths, backward_cell, hidden)  # (batch, length, d_hidden)",
        "from_right, _ = encode(embedded, lengths, backward_cell, hidden)",
    ),
    (
        "return torch.cat([from_left, turn(from_right)], dim=-1)",
        "return torch.cat([from_left, from_right], dim=-1)",
    ),
]
