"""Finds the wrong cut, and not the wrong width."""

SAYS = "root of the wrong width"
CHANGES = [
    ("d_k**0.5", "d_model**0.5"),
]
