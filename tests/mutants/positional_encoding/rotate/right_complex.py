"""Multiplies complex numbers."""

CHANGES = [
    (
        "return torch.stack(turned, dim=-1).flatten(-2)",
        """points = torch.view_as_complex(x.unflatten(-1, (-1, 2)).contiguous())
    return torch.view_as_real(points * torch.exp(1j * angles)).flatten(-2)""",
    ),
]
