"""Subtracts the mean from x itself."""

SAYS = "changed its tensor argument"
CHANGES = [
    (
        "centred = x - x.mean(dim=-1, keepdim=True)",
        """x -= x.mean(dim=-1, keepdim=True)
        centred = x""",
    ),
]
