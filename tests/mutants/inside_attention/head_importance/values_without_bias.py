"""Zeroes the rows of w_value, and forgets its bias."""

SAYS = "bias of w_value"
CHANGES = [
    ("weight = attention.w_output.weight", "weight = attention.w_value.weight"),
    (
        "weight[:, index * attention.d_k : (index + 1) * attention.d_k] = 0.0",
        "weight[index * attention.d_k : (index + 1) * attention.d_k] = 0.0",
    ),
]
