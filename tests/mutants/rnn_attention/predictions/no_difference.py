"""Believes that neither of the two can do it."""

SAYS = "looks back, 6 words"


predictions = {"one vector, 6 words": "none", "looks back, 6 words": "none", "looks back, 9 words": "none"}
