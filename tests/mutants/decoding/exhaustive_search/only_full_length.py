"""Tries only sentences of max_length words."""

SAYS = "only sentences of max_length"
CHANGES = [("for length in range(max_length) for", "for length in range(max_length - 1, max_length) for")]
