"""Computes in float64 and converts the two results back."""

CHANGES = [
    (
        "return weights @ value, weights  # (..., m, d_v), (..., m, n)",
        """weights = softmax(scores.double())
    output = weights @ value.double()
    return output.to(value.dtype), weights.to(value.dtype)""",
    ),
]
