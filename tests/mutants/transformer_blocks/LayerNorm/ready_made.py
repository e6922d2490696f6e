"""Calls torch."""

SAYS = "torch's own version"
CHANGES = [
    (
        "return centred / (variance + self.eps).sqrt() * self.weight + self.bias",
        "return F.layer_norm(x, self.weight.shape, self.weight, self.bias, self.eps)",
    ),
]
