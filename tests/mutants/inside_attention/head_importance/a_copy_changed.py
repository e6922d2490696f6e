"""Changes a copy of the weight, which nobody reads."""

SAYS = "a copy was changed"
CHANGES = [
    (
        "weight[:, index * attention.d_k : (index + 1) * attention.d_k] = 0.0",
        "weight.clone()[:, index * attention.d_k : (index + 1) * attention.d_k] = 0.0",
    ),
]
