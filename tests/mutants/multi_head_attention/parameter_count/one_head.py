"""Counts one head alone."""

SAYS = "one head alone"
CHANGES = [
    ("4 * d_model * (d_model + int(bias))", "4 * (d_model // num_heads) * (d_model + int(bias))"),
]
