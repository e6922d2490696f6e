"""Mends the mask only."""

SAYS = "as if it were the first"
CHANGES = [("embedding(token, start=position)", "embedding(token)")]
