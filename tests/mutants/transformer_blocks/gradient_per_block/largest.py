"""Takes the largest entry."""

SAYS = "the largest entry"
CHANGES = [
    (".norm().item()", ".abs().max().item()"),
]
