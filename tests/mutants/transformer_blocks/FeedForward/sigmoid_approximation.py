"""Takes the sigmoid form of gelu."""

SAYS = "gelu with a sigmoid"
CHANGES = [
    ("else F.gelu", "else lambda z: z * torch.sigmoid(1.702 * z)"),
]
