"""Inverts the upper triangle."""

CHANGES = [
    (
        "return torch.ones(length, length, dtype=torch.bool, device=device).tril()",
        "return ~torch.triu(torch.ones(length, length, dtype=torch.bool, device=device), diagonal=1)",
    ),
]
