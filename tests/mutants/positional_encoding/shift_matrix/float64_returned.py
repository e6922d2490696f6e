"""Returns the dtype in which it computes."""

SAYS = "has dtype torch.float64"
CHANGES = [
    ("torch.zeros(d_model, d_model)", "torch.zeros(d_model, d_model, dtype=torch.float64)"),
]
