"""Believes that a copy is as easy for any length."""

SAYS = "twice as long"

predictions = {"as long as in training": "all", "one word longer": "some", "twice as long": "all"}
