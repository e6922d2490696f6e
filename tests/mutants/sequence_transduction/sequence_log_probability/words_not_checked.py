"""Trusts that labels are words."""

SAYS = "a label equal to vocab_size"
CHANGES = [
    (
        "if (real & ((labels < 0) | (labels >= logits.shape[2]))).any():",
        "if False:",
    ),
]
