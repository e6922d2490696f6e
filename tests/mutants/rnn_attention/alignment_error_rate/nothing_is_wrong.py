"""Says 1 where there is nothing to align."""

SAYS = "nothing is wrong"
CHANGES = [
    (
        "return 0.0",
        "return 1.0",
    ),
]
