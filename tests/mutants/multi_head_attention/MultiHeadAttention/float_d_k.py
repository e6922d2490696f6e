"""Keeps the number of heads under the name of their width."""

SAYS = "under this name"
CHANGES = [
    ("self.d_k = d_model // num_heads", "self.d_k = num_heads"),
]
