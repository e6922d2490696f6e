"""Uses .T, which reverses all dimensions, on a batch."""

SAYS = "do not fit"
CHANGES = [
    (
        "scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)  # (..., m, n)",
        "scores = query @ key.permute(*range(key.dim() - 1, -1, -1)) / math.sqrt(d_k)",
    ),
]
