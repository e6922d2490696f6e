"""Forgets the minus."""

SAYS = "the sign is turned"
CHANGES = [
    (
        "return losses.sum() / (~padding).sum().clamp(min=1)",
        "return -losses.sum() / (~padding).sum().clamp(min=1)",
    ),
]
