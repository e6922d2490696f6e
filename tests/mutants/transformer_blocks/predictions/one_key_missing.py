"""Leaves a question out."""

SAYS = "missing or misspelt"


predictions = {"stream": "grow", "post-norm": "stay"}
