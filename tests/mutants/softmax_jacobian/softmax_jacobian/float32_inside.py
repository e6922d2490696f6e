"""Converts to float32 and back, and loses half of the digits of float64."""

SAYS = "nearly right"
CHANGES = [
    ("weights = softmax(scores / scale)  # (..., n)", "weights = softmax(scores.float() / scale).to(scores.dtype)"),
]
