"""Takes one right word for enough."""

SAYS = "shorter tensor"
CHANGES = [
    (
        ".all(dim=1)",
        ".any(dim=1)",
    ),
]
