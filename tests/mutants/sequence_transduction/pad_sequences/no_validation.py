"""Lets torch round what is no integer."""

SAYS = "does not look at its arguments"
CHANGES = [
    (
        "if not isinstance(token, int):",
        "if False:",
    ),
    (
        "padded[row, column] = token",
        "padded[row, column] = int(token)",
    ),
]
