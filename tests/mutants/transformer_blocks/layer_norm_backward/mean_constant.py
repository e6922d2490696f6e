"""Forgets the way through the mean."""

SAYS = "the mean is taken for a constant"
CHANGES = [
    (
        "return (scaled - scaled.mean(-1, keepdim=True) - normal * along) / deviation",
        "return (scaled - normal * along) / deviation",
    ),
]
