"""Lets each position see itself alone."""

SAYS = "nothing else"
CHANGES = [
    (
        "return torch.ones(length, length, dtype=torch.bool, device=device).tril()",
        "return torch.eye(length, dtype=torch.bool, device=device)",
    ),
]
