"""Calls the right answer that the checks compare with."""

SAYS = "your code called"
CHANGES = [
    (
        "return centred / (variance + self.eps).sqrt() * self.weight + self.bias",
        "return checks.right_layer_norm(x, self.weight, self.bias, self.eps)",
    ),
]
