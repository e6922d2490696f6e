"""Reshapes the key in the place of transposing it."""

SAYS = "in the place of a transpose"
CHANGES = [
    (
        "scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)  # (..., m, n)",
        "scores = query @ key.reshape(*key.shape[:-2], d_k, -1) / math.sqrt(d_k)",
    ),
]
