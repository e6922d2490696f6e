"""Sorts the sequences, the longest first, as packing once wanted it."""

SAYS = "sorted by length"
CHANGES = [
    (
        "    longest",
        """    sequences = sorted(sequences, key=len, reverse=True)
    longest""",
    ),
]
