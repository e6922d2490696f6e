"""Believes that every head has d_model columns."""

SAYS = "columns of its own"
CHANGES = [
    ("4 * d_model * (d_model + int(bias))", "num_heads * 4 * d_model * (d_model + int(bias))"),
]
