"""Lets the second direction go on from the final state of the first."""

SAYS = "goes on from the final state"
CHANGES = [
    (
        "from_left, _ = encode(embedded, lengths, forward_cell, hidden)",
        "from_left, final = encode(embedded, lengths, forward_cell, hidden)",
    ),
    (
        "from_right, _ = encode(turn(embedded), lengths, backward_cell, hidden)",
        "from_right, _ = encode(turn(embedded), lengths, backward_cell, final)",
    ),
]
