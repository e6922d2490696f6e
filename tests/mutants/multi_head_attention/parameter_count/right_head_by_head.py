"""Adds up what each head holds."""

CHANGES = [
    (
        "return 4 * d_model * (d_model + int(bias))",
        """d_k = d_model // num_heads
    one = 3 * d_k * d_model + d_model * d_k + (3 * d_k + d_k if bias else 0)
    return num_heads * one""",
    ),
]
