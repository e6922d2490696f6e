"""Forgets the root."""

SAYS = "the root of the sum"
CHANGES = [
    (".norm().item()", ".square().sum().item()"),
]
