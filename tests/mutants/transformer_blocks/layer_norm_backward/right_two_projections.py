"""Centres at the end, in one step."""

CHANGES = [
    (
        "return (scaled - scaled.mean(-1, keepdim=True) - normal * along) / deviation",
        """part = (scaled - normal * along) / deviation
    return part - part.mean(-1, keepdim=True)""",
    ),
]
