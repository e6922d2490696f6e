"""Leaves the identity out where nothing is attended to."""

SAYS = "NaN"
CHANGES = [
    (
        "mixed = 0.5 * attention + 0.5 * identity",
        "mixed = (0.5 * attention + 0.5 * identity) * (attention.sum(dim=-1, keepdim=True) > 0)",
    ),
]
