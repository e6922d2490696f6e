"""Answers in words of its own."""

SAYS = "missing or misspelt"


predictions = {"stream": "grows", "pre-norm": "falls", "post-norm": "stays"}
