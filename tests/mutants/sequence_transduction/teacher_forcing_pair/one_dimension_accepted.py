"""Accepts a sentence without a batch."""

SAYS = "does not look at its arguments"
CHANGES = [
    (
        "if target.dim() != 2 or",
        """target = target.unsqueeze(0) if target.dim() == 1 else target
    if target.dim() != 2 or""",
    ),
]
