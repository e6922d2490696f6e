"""Answers in words of its own."""

SAYS = "missing or misspelt"

predictions = {"1": "grow", "sqrt(d_k)": "stay", "d_k": "fall"}
