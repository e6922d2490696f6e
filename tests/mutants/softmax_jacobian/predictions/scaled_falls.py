"""Believes that a smaller score means a smaller gradient."""

SAYS = "'d_k, scaled'"


predictions = {"d_k": "falls", "d_k, scaled": "falls", "n, scaled": "falls"}
