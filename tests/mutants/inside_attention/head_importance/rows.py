"""Zeroes rows of w_output."""

SAYS = "rows of `w_output.weight`"
CHANGES = [
    (
        "weight[:, index * attention.d_k : (index + 1) * attention.d_k] = 0.0",
        "weight[index * attention.d_k : (index + 1) * attention.d_k] = 0.0",
    ),
]
