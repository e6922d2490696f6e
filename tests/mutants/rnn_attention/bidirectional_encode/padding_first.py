"""Turns the padding round too, and reads it first."""

SAYS = "starts at the padding"
CHANGES = [
    (
        "from_right, _ = encode(turn(embedded), lengths, backward_cell, hidden)  # (batch, length, d_hidden)",
        """flipped = embedded.flip(1)
    full = torch.full_like(lengths, embedded.shape[1])
    from_right, _ = encode(flipped, full, backward_cell, hidden)
    from_right = from_right.flip(1) * (position < lengths.unsqueeze(1)).unsqueeze(-1)""",
    ),
    (
        "return torch.cat([from_left, turn(from_right)], dim=-1)",
        "return torch.cat([from_left, from_right], dim=-1)",
    ),
]
