"""Believes that a look back makes every length as easy."""

SAYS = "looks back, 9 words"


predictions = {"one vector, 6 words": "none", "looks back, 6 words": "all", "looks back, 9 words": "all"}
