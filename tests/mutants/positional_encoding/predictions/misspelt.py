"""Answers in words of its own."""

SAYS = "missing or misspelt"

predictions = {"no positions": "yes", "with positions": "no", "dot product": "yes"}
