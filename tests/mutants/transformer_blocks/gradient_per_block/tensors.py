"""Returns tensors."""

SAYS = "list of Tensor"
CHANGES = [
    (".norm().item()", ".norm()"),
]
