"""Forgets the triangle."""

SAYS = "the triangle is missing"
CHANGES = [
    (
        "return torch.ones(length, length, dtype=torch.bool, device=device).tril()",
        "return torch.ones(length, length, dtype=torch.bool, device=device)",
    ),
]
