"""Leaves out the brevity penalty."""

SAYS = "brevity penalty is missing"
CHANGES = [("100 * brevity_penalty * ", "100 * ")]
