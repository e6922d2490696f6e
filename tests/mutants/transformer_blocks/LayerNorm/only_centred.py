"""Subtracts the mean and divides by nothing."""

SAYS = "nothing is divided"
CHANGES = [
    (
        "return centred / (variance + self.eps).sqrt() * self.weight + self.bias",
        "return centred * self.weight + self.bias",
    ),
]
