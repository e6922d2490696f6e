"""Gives every block the input."""

SAYS = "it raised"
CHANGES = [
    (
        """    for block in blocks:
        x = block(x) if memory is None else block(x, memory)
""",
        """    y = [block(x) if memory is None else block(x, memory) for block in blocks]
    x = y[-1]
""",
    ),
]
