"""Starts the second direction from zeros."""

SAYS = "in the first direction only"
CHANGES = [
    (
        "from_right, _ = encode(turn(embedded), lengths, backward_cell, hidden)",
        "from_right, _ = encode(turn(embedded), lengths, backward_cell, torch.zeros_like(hidden))",
    ),
]
