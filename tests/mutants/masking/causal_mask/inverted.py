"""Believes that True means `hide`."""

SAYS = "wrong way round"
CHANGES = [
    (
        "return torch.ones(length, length, dtype=torch.bool, device=device).tril()",
        "return torch.ones(length, length, dtype=torch.bool, device=device).triu(1)",
    ),
]
