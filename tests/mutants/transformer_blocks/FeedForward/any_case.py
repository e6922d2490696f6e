"""Accepts capitals."""

SAYS = "in capitals"
CHANGES = [
    ('activation not in ("relu", "gelu")', 'activation.lower() not in ("relu", "gelu")'),
]
