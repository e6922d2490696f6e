"""Trusts the lengths."""

SAYS = "does not look at its arguments"
CHANGES = [
    (
        "if ((lengths < 0) | (lengths > length)).any():",
        "if False:",
    ),
]
