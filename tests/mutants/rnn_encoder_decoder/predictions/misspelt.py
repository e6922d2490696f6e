"""Answers in words of its own."""

SAYS = "missing or misspelt"

predictions = {"as long as in training": "100", "one word longer": "50", "twice as long": "0"}
