"""Exchanges the two activations."""

SAYS = "it is the result of gelu"
SAME_AS = "always_gelu"
CHANGES = [
    ('activation == "relu" else', 'activation == "gelu" else'),
]
