"""Adds x, which is the work of the block."""

SAYS = "residual connection"
CHANGES = [
    ("return self.linear_2(self.dropout(hidden))  # (..., d_model)", "return x + self.linear_2(self.dropout(hidden))"),
]
