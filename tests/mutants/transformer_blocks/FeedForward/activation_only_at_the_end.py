"""Bends the result in the place of what lies between."""

SAYS = "not between the two"
CHANGES = [
    ("hidden = self.activation(self.linear_1(x))  # (..., d_ff)", "hidden = self.linear_1(x)"),
    (
        "return self.linear_2(self.dropout(hidden))  # (..., d_model)",
        "return self.activation(self.linear_2(self.dropout(hidden)))",
    ),
]
