"""Believes that one vector holds six words."""

SAYS = "one vector, 6 words"


predictions = {"one vector, 6 words": "all", "looks back, 6 words": "all", "looks back, 9 words": "none"}
