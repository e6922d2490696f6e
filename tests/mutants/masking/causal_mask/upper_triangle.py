"""Uses triu in the place of tril."""

SAYS = "upper triangle"
CHANGES = [
    (
        "return torch.ones(length, length, dtype=torch.bool, device=device).tril()",
        "return torch.ones(length, length, dtype=torch.bool, device=device).triu()",
    ),
]
