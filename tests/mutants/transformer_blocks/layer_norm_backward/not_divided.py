"""Forgets the division."""

SAYS = "no division"
CHANGES = [
    (
        "return (scaled - scaled.mean(-1, keepdim=True) - normal * along) / deviation",
        "return (scaled - scaled.mean(-1, keepdim=True) - normal * along)",
    ),
]
