"""Adds up padding too."""

SAYS = "the padding of shorter ones"
CHANGES = [(".masked_fill(labels == PAD, 0.0)", "")]
