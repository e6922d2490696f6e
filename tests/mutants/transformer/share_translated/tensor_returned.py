"""Returns a tensor."""

SAYS = "an object of type Tensor"
CHANGES = [
    (".mean().item()", ".mean()"),
]
