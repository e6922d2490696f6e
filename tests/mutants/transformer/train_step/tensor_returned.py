"""Returns the loss with its graph."""

SAYS = "object of type Tensor"
CHANGES = [
    ("return loss.item()", "return loss"),
]
