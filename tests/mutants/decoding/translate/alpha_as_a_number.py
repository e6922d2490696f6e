"""Writes 0.6."""

SAYS = "written as a number"
CHANGES = [("beam_width, max_length, alpha)", "beam_width, max_length, 0.6)")]
