"""Returns the dtype in which it computes."""

SAYS = "has dtype torch.float64"
CHANGES = [
    ("encoding = torch.zeros(length, d_model)", "encoding = torch.zeros(length, d_model, dtype=torch.float64)"),
]
