"""Searches for the first sentence only, and repeats its translation."""

SAYS = "share one search"
CHANGES = [("for row in source]", "for row in source[:1].expand_as(source)]")]
