"""Writes a word that was not offered."""

SAYS = "missing or misspelt"


predictions = {"d_k": "falls", "d_k, scaled": "same", "n, scaled": "falls"}
