"""Takes the minimum."""

SAYS = "worst sentence"
CHANGES = [("argmax", "argmin")]
