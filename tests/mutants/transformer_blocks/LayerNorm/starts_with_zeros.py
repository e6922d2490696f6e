"""Starts the gain at zero."""

SAYS = "weight does not start"
CHANGES = [
    ("torch.ones(d_model)", "torch.zeros(d_model)"),
]
