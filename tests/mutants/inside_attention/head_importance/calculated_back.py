"""Makes the weights small, and multiplies them back."""

SAYS = "calculated back"
CHANGES = [
    (
        "weight[:, index * attention.d_k : (index + 1) * attention.d_k] = 0.0",
        "weight[:, index * attention.d_k : (index + 1) * attention.d_k] *= 1e-30",
    ),
    ("weight.copy_(original)", "weight[:, index * attention.d_k : (index + 1) * attention.d_k] *= 1e30"),
]
