"""Never looks at the heads."""

SAYS = "heads"
CHANGES = [
    ("num_heads < 1 or d_model % num_heads != 0", "False"),
]
