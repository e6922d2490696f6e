"""Accepts any source."""

SAYS = "does not look at its arguments"
CHANGES = [("source.dim() != 2", "False")]
