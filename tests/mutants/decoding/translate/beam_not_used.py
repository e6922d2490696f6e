"""Decodes greedily, whatever the beam."""

SAYS = "greedy decoding"
CHANGES = [("if beam_width == 1:", "if beam_width >= 1:")]
