"""Takes the sum over what is positive, and is silent on the rest."""

SAYS = "a negative weight"
CHANGES = [
    ("if (weights < 0).any():", "if False:"),
]
