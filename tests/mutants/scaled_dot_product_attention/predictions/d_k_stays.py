"""Believes that division by d_k keeps the weights the same."""

SAYS = "division by d_k"

predictions = {"1": "grows", "sqrt(d_k)": "stays", "d_k": "stays"}
