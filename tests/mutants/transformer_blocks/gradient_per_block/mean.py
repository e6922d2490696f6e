"""Takes the mean of all entries."""

SAYS = "the mean of the gradients"
CHANGES = [
    (".norm().item()", ".mean().item()"),
]
