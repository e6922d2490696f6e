"""Takes the update gate for the share of the new."""

SAYS = "what it should replace"
CHANGES = [
    (
        "return (1 - update) * candidate + update * hidden",
        "return update * candidate + (1 - update) * hidden",
    ),
]
