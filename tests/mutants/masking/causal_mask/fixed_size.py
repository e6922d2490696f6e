"""Cuts the mask out of a table of 64 positions."""

SAYS = "shape (64, 64)"
CHANGES = [
    (
        "return torch.ones(length, length, dtype=torch.bool, device=device).tril()",
        "return torch.ones(64, 64, dtype=torch.bool, device=device).tril()[:length, :length]",
    ),
]
