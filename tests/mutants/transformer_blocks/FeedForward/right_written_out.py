"""Writes the formula with matrix products."""

CHANGES = [
    (
        "return self.linear_2(self.dropout(hidden))  # (..., d_model)",
        "return self.dropout(hidden) @ self.linear_2.weight.T + self.linear_2.bias",
    ),
]
