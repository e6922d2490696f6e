"""Takes any other word for gelu."""

SAYS = "another activation"
CHANGES = [
    ('activation not in ("relu", "gelu")', "False"),
]
