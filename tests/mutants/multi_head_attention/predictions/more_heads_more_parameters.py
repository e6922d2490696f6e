"""Believes that more heads mean more parameters."""

SAYS = "something else for parameters"

predictions = {"parameters": "grow", "multiply-accumulates": "stay", "weights": "grow"}
