"""Drops what linear_2 says."""

SAYS = "behind linear_2, and drops"
CHANGES = [
    ("return self.linear_2(self.dropout(hidden))  # (..., d_model)", "return self.dropout(self.linear_2(hidden))"),
]
