"""Divides the weights, not the scores."""

SAYS = "comes after softmax"
CHANGES = [
    (
        "scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)  # (..., m, n)",
        "scores = query @ key.transpose(-2, -1)",
    ),
    ("return softmax(scores)", "return softmax(scores) / math.sqrt(d_k)"),
]
