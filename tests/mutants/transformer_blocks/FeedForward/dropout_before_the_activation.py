"""Drops before the activation."""

SAYS = "before the activation"
CHANGES = [
    (
        "hidden = self.activation(self.linear_1(x))  # (..., d_ff)",
        "hidden = self.activation(self.dropout(self.linear_1(x)))",
    ),
    ("self.dropout(hidden)", "hidden"),
]
