"""Believes that attention sees the order by itself."""

SAYS = "something else for no positions"

predictions = {"no positions": "different", "with positions": "different", "dot product": "same"}
