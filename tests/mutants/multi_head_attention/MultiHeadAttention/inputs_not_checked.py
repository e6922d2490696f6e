"""Leaves it to the layers to complain."""

SAYS = "RuntimeError"
CHANGES = [
    ("if x.dim() != 3 or x.shape[-1] != self.d_model:", "if False:"),
]
