"""Multiplies with the weight as it is."""

SAYS = "w_output is not transposed"
CHANGES = [
    ("w_output.T", "w_output"),
]
