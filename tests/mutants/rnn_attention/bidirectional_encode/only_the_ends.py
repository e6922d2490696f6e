"""Returns the two last states, as an encoder without attention does."""

SAYS = "the states of all words"
CHANGES = [
    (
        "from_left, _ = encode",
        "_, from_left = encode",
    ),
    (
        "from_right, _ = encode(turn(embedded), lengths, backward_cell, hidden)",
        "_, from_right = encode(turn(embedded), lengths, backward_cell, hidden)",
    ),
    (
        "return torch.cat([from_left, turn(from_right)], dim=-1)",
        "return torch.cat([from_left, from_right], dim=-1)",
    ),
]
