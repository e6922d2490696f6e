"""Does not look at the tokens."""

SAYS = "does not look at its arguments"
CHANGES = [
    ("if tokens.dim() != 2 or", "if False and"),
]
