"""Forgets that every head has weights of its own."""

SAYS = "something else for weights"

predictions = {"parameters": "stay", "multiply-accumulates": "stay", "weights": "stay"}
