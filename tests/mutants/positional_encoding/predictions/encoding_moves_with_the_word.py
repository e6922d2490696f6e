"""Believes that the encoding belongs to the word."""

SAYS = "something else for with positions"

predictions = {"no positions": "same", "with positions": "same", "dot product": "same"}
