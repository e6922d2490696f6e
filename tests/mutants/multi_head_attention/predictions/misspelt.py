"""Answers in words of its own."""

SAYS = "missing or misspelt"

predictions = {"parameters": "same", "multiply-accumulates": "same", "weights": "more"}
