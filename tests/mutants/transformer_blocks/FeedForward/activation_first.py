"""Bends the input."""

SAYS = "stands before linear_1"
CHANGES = [
    ("hidden = self.activation(self.linear_1(x))  # (..., d_ff)", "hidden = self.linear_1(self.activation(x))"),
]
