"""Leaves alpha to beam_search, whose default is 0."""

SAYS = "without a length penalty"
CHANGES = [("beam_width, max_length, alpha)", "beam_width, max_length)")]
