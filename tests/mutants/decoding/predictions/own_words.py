"""Answers in words of its own."""

SAYS = "missing or misspelt"

predictions = {"log probability, wider beam": "higher", "length, wider beam": "lower", "length, larger alpha": "higher"}
