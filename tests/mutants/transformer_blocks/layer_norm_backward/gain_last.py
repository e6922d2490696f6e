"""Multiplies by the gain at the end."""

SAYS = "at the end, not at the start"
CHANGES = [
    ("grad_output * weight", "grad_output"),
    (
        "return (scaled - scaled.mean(-1, keepdim=True) - normal * along) / deviation",
        "return weight * (scaled - scaled.mean(-1, keepdim=True) - normal * along) / deviation",
    ),
]
