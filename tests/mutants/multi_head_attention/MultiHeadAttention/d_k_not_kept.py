"""Keeps no d_k."""

SAYS = "d_k is None"
CHANGES = [
    ("self.d_k = d_model // num_heads", "pass"),
]
