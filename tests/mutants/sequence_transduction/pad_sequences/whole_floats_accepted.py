"""Accepts 4.0 for 4."""

SAYS = "does not look at its arguments"
CHANGES = [
    (
        "if not isinstance(token, int):",
        "if not isinstance(token, (int, float)) or token != int(token):",
    ),
]
