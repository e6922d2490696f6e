"""Believes that gelu is the default."""

SAYS = "activation left out"
CHANGES = [
    ('activation: str = "relu"', 'activation: str = "gelu"'),
]
