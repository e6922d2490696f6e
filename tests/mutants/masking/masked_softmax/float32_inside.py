"""Converts to float32 and back."""

SAYS = "nearly right"
CHANGES = [
    ("return softmax(scores)", "return softmax(scores.float()).to(scores.dtype)"),
]
