"""Believes that the vector is too small for any sentence."""

SAYS = "as long as in training"

predictions = {"as long as in training": "none", "one word longer": "none", "twice as long": "none"}
