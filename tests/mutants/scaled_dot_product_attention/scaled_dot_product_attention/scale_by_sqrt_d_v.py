"""Takes the width of the values for that of the keys."""

SAYS = "square root of d_v"
CHANGES = [
    (
        "scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)  # (..., m, n)",
        "scores = query @ key.transpose(-2, -1) / math.sqrt(value.shape[-1])",
    ),
]
