"""Looks at no argument."""

SAYS = "step 0"
CHANGES = [
    ("if number < 1:", "if False:"),
]
