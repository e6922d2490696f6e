"""Uses one cell for both directions."""

SAYS = "is not used"
CHANGES = [
    (
        "from_right, _ = encode(turn(embedded), lengths, backward_cell, hidden)",
        "from_right, _ = encode(turn(embedded), lengths, forward_cell, hidden)",
    ),
]
