"""Bends x itself."""

SAYS = "changed its tensor argument"
CHANGES = [
    (
        "hidden = self.activation(self.linear_1(x))  # (..., d_ff)",
        "hidden = self.activation(self.linear_1(x.mul_(1.5)))",
    ),
]
