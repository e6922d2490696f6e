"""Believes that dot products do not grow with the width."""

SAYS = "for a division by 1"

predictions = {"1": "stays", "sqrt(d_k)": "stays", "d_k": "stays"}
