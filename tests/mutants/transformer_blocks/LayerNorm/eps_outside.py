"""Adds eps to the standard deviation."""

SAYS = "outside the root"
CHANGES = [
    (
        "return centred / (variance + self.eps).sqrt() * self.weight + self.bias",
        "return centred / (variance.sqrt() + self.eps) * self.weight + self.bias",
    ),
]
