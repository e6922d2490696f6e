"""Computes the output from weights of before the mask."""

SAYS = "know nothing of the mask"
CHANGES = [
    (
        "if mask is not None:",
        """unmasked = softmax(scores)
    if mask is not None:""",
    ),
    ("return weights @ value, weights  # (..., m, d_v), (..., m, n)", "return unmasked @ value, weights"),
]
