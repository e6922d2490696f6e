"""Decodes greedily for any width below 2."""

SAYS = "does not look at its arguments"
CHANGES = [("if beam_width == 1:", "if beam_width < 2:")]
