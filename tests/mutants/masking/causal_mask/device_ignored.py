"""Makes the mask on the default device."""

SAYS = "`device` is not used"
CHANGES = [
    (
        "return torch.ones(length, length, dtype=torch.bool, device=device).tril()",
        "return torch.ones(length, length, dtype=torch.bool).tril()",
    ),
]
