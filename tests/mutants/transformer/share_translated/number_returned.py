"""Counts sentences."""

SAYS = "the share is wanted"
CHANGES = [
    (".double().mean().item()", ".double().sum().item()"),
]
