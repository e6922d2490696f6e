"""Zeroes every num_heads-th column."""

SAYS = "every num_heads-th column"
CHANGES = [
    (
        "weight[:, index * attention.d_k : (index + 1) * attention.d_k] = 0.0",
        "weight[:, index :: attention.num_heads] = 0.0",
    ),
]
