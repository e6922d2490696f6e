"""Converts to float32 and back, and loses half of the digits of float64."""

SAYS = "nearly right"
CHANGES = [
    (
        "scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)  # (..., m, n)",
        "scores = query.float() @ key.float().transpose(-2, -1) / math.sqrt(d_k)",
    ),
    ("return softmax(scores)", "return softmax(scores).to(query.dtype)"),
]
