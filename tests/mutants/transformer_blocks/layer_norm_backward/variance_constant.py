"""Forgets the way through the variance."""

SAYS = "the variance is taken for a constant"
CHANGES = [
    (
        "return (scaled - scaled.mean(-1, keepdim=True) - normal * along) / deviation",
        "return (scaled - scaled.mean(-1, keepdim=True)) / deviation",
    ),
]
