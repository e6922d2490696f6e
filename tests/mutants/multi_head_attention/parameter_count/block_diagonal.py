"""Believes that a head reads only its own piece of the input."""

SAYS = "reads d_k features"
CHANGES = [
    ("4 * d_model * (d_model + int(bias))", "4 * d_model * (d_model // num_heads + int(bias))"),
]
