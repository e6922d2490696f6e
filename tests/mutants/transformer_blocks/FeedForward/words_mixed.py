"""Normalises the activations over the words."""

SAYS = "none of the mistakes"
CHANGES = [
    (
        "hidden = self.activation(self.linear_1(x))  # (..., d_ff)",
        """hidden = self.activation(self.linear_1(x))
        hidden = hidden / hidden.abs().sum(0, keepdim=True).clamp(min=1)""",
    ),
]
