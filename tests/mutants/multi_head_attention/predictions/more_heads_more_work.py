"""Believes that more heads mean more work."""

SAYS = "something else for multiply"

predictions = {"parameters": "stay", "multiply-accumulates": "grow", "weights": "grow"}
