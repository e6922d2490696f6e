"""Believes that the dot product depends on the places themselves."""

SAYS = "something else for dot product"

predictions = {"no positions": "same", "with positions": "different", "dot product": "different"}
