"""Fills up with the last word of the sequence."""

SAYS = "the last word of a sequence is repeated"
CHANGES = [
    (
        "    return padded",
        """        if sequence:
            padded[row, len(sequence) :] = sequence[-1]
    return padded""",
    ),
]
