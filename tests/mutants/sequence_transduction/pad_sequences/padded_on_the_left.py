"""Puts the padding in front, as for a model that only writes."""

SAYS = "in front of the words"
CHANGES = [
    (
        "padded[row, column] = token",
        "padded[row, longest - len(sequence) + column] = token",
    ),
]
