"""Converts to float32."""

SAYS = "dtype"
CHANGES = [
    (
        "return centred / (variance + self.eps).sqrt() * self.weight + self.bias",
        "return (centred / (variance + self.eps).sqrt() * self.weight + self.bias).float()",
    ),
]
