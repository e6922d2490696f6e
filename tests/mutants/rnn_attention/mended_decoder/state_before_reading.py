"""Keeps the state that each step began with."""

SAYS = "the state before reading is kept"
CHANGES = [
    (
        "        states.append(hidden)\n",
        "",
    ),
    (
        "        scores = score(hidden",
        """        states.append(hidden)
        scores = score(hidden""",
    ),
]
