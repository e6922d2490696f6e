"""Thinks of the mean, which a few queries rule."""

SAYS = "'d_k'"


predictions = {"d_k": "grows", "d_k, scaled": "stays", "n, scaled": "falls"}
