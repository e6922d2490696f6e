"""Bends the result as well."""

SAYS = "behind linear_2 as well"
CHANGES = [
    (
        "return self.linear_2(self.dropout(hidden))  # (..., d_model)",
        "return self.activation(self.linear_2(self.dropout(hidden)))",
    ),
]
