"""Does not look at EOS."""

SAYS = "EOS is left out"
CHANGES = [
    (" | (labels == PAD)", " | (labels == PAD) | (labels == EOS)"),
]
