"""Returns the probability of another word."""

SAYS = "another word than the right one"
CHANGES = [
    (
        "dim=-1)[EOS]",
        "dim=-1)[BOS]",
    ),
]
