"""Writes both activations out."""

CHANGES = [
    (
        'self.activation = F.relu if activation == "relu" else F.gelu',
        """self.activation = (
            (lambda z: z.clamp(min=0)) if activation == "relu" else (lambda z: z * (1 + torch.erf(z / 2**0.5)) / 2)
        )""",
    ),
]
