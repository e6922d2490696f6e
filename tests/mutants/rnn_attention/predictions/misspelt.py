"""Answers in numbers."""

SAYS = "missing or misspelt"


predictions = {"one vector, 6 words": "0", "looks back, 6 words": "100", "looks back, 9 words": "0"}
