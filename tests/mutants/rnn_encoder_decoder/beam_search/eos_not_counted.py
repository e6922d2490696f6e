"""Does not count EOS."""

SAYS = "EOS is not counted"
CHANGES = [
    (
        "((5 + length)",
        "((4 + length)",
    ),
]
