"""Forgets the activation."""

SAYS = "two linear maps in a row"
CHANGES = [
    ("hidden = self.activation(self.linear_1(x))  # (..., d_ff)", "hidden = self.linear_1(x)"),
]
