"""Divides with /."""

SAYS = "float"
CHANGES = [
    ("4 * d_model * (d_model + int(bias))", "4 * num_heads * (d_model / num_heads) * (d_model + int(bias))"),
]
