"""Forgets the projection of the output."""

SAYS = "w_output is left out"
CHANGES = [
    ("4 * d_model * (d_model + int(bias))", "3 * d_model * (d_model + int(bias))"),
]
