"""Starts the shift at one."""

SAYS = "bias does not start"
CHANGES = [
    ("torch.zeros(d_model)", "torch.ones(d_model)"),
]
