"""Believes that a position must not see itself."""

SAYS = "the diagonal is hidden"
CHANGES = [
    (
        "return torch.ones(length, length, dtype=torch.bool, device=device).tril()",
        "return torch.ones(length, length, dtype=torch.bool, device=device).tril(-1)",
    ),
]
