"""Lets each position see the token that it should predict."""

SAYS = "one diagonal too many"
CHANGES = [
    (
        "return torch.ones(length, length, dtype=torch.bool, device=device).tril()",
        "return torch.ones(length, length, dtype=torch.bool, device=device).tril(1)",
    ),
]
