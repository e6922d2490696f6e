"""Takes flip for the reverse of a padded sentence."""

SAYS = "ends before the first word"
CHANGES = [
    (
        "from_right, _ = encode(turn(embedded), lengths, backward_cell, hidden)  # (batch, length, d_hidden)",
        "from_right, _ = encode(embedded.flip(1), lengths, backward_cell, hidden)",
    ),
    (
        "return torch.cat([from_left, turn(from_right)], dim=-1)",
        "return torch.cat([from_left, from_right.flip(1)], dim=-1)",
    ),
]
