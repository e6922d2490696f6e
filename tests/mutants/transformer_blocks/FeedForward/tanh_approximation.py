"""Takes the tanh form of gelu."""

SAYS = "gelu with tanh"
CHANGES = [
    ("else F.gelu", "else lambda z: F.gelu(z, approximate='tanh')"),
]
