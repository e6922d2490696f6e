"""Takes silu for gelu."""

SAYS = "the result of silu"
CHANGES = [
    ("else F.gelu", "else F.silu"),
]
