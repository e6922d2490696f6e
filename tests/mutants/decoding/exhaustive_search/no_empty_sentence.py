"""Leaves out the sentence that is only EOS."""

SAYS = "only EOS is left out"
CHANGES = [("for length in range(max_length) for", "for length in range(1, max_length) for")]
