"""Gives the only head all rows."""

SAYS = "num_heads is not used"
CHANGES = [
    ("d_k = x.shape[-1] // num_heads", "d_k = x.shape[-1]"),
]
