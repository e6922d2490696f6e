"""Takes whatever has heads in dimension 1."""

SAYS = "it returned a result"
CHANGES = [
    ("x.dim() != 4", "False"),
]
