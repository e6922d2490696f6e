"""Makes a mask of 0 and 1."""

SAYS = "dtype torch.float32"
CHANGES = [
    (
        "return torch.ones(length, length, dtype=torch.bool, device=device).tril()",
        "return torch.ones(length, length, device=device).tril()",
    ),
]
