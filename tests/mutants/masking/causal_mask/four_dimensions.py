"""Adds dimensions for batch and heads."""

SAYS = "a dimension too many"
CHANGES = [
    (
        "return torch.ones(length, length, dtype=torch.bool, device=device).tril()",
        "return torch.ones(length, length, dtype=torch.bool, device=device).tril()[None, None]",
    ),
]
