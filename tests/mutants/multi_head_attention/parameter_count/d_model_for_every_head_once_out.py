"""Believes that every head has d_model columns, and that they are projected back."""

SAYS = "columns of its own"
CHANGES = [
    ("4 * d_model * (d_model + int(bias))", "(3 * num_heads + 1) * d_model * d_model + 4 * d_model * bias"),
]
