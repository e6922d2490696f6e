"""Adds up padding too."""

SAYS = "the padding of shorter sentences"
CHANGES = [(".masked_fill(labels == PAD, 0.0)", "")]
