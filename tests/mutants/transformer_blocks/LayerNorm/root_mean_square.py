"""Divides by the root of the mean square, without a mean."""

SAYS = "that is the norm of RMSNorm"
CHANGES = [
    ("centred = x - x.mean(dim=-1, keepdim=True)", "centred = x"),
]
