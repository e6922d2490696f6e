"""Compares what is written after EOS with padding."""

SAYS = "is compared with padding"
CHANGES = [
    (" | (labels == PAD)", ""),
]
