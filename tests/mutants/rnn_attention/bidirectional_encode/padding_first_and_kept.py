"""Turns everything round, with no thought of the lengths."""

SAYS = "starts at the padding"
SAME_AS = "padding_first"
CHANGES = [
    (
        "from_right, _ = encode(turn(embedded), lengths, backward_cell, hidden)  # (batch, length, d_hidden)",
        """full = torch.full_like(lengths, embedded.shape[1])
    from_right, _ = encode(embedded.flip(1), full, backward_cell, hidden)""",
    ),
    (
        "return torch.cat([from_left, turn(from_right)], dim=-1)",
        "return torch.cat([from_left, from_right.flip(1)], dim=-1)",
    ),
]
