"""Leaves the last state in the outputs past the end."""

SAYS = "past the end of a sentence are not 0"
CHANGES = [
    (
        "hidden.masked_fill(~real, 0.0).unsqueeze(1)",
        "hidden.unsqueeze(1)",
    ),
]
