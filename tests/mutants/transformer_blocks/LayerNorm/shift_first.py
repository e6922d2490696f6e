"""Adds the shift before it multiplies."""

SAYS = "the shift comes before the gain"
CHANGES = [
    (
        "return centred / (variance + self.eps).sqrt() * self.weight + self.bias",
        "return (centred / (variance + self.eps).sqrt() + self.bias) * self.weight",
    ),
]
