"""Adds up absolute values."""

SAYS = "absolute values are added"
CHANGES = [
    (".norm().item()", ".abs().sum().item()"),
]
