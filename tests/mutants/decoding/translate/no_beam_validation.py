"""Accepts any beam width."""

SAYS = "does not look at its arguments"
CHANGES = [("max_length < 0 or beam_width < 1", "max_length < 0"), ("if beam_width == 1:", "if beam_width < 2:")]
