"""Exchanges the two cells."""

SAYS = "two cells are exchanged"
CHANGES = [
    (
        "from_right, _ = encode(turn(embedded), lengths, backward_cell, hidden)",
        "from_right, _ = encode(turn(embedded), lengths, forward_cell, hidden)",
    ),
    (
        "encode(embedded, lengths, forward_cell, hidden)",
        "encode(embedded, lengths, backward_cell, hidden)",
    ),
]
