"""Believes that the root makes the weights flatter at large widths."""

SAYS = "division by sqrt(d_k)"

predictions = {"1": "grows", "sqrt(d_k)": "falls", "d_k": "falls"}
