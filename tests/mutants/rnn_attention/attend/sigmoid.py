"""Takes sigmoid for softmax."""

SAYS = "sigmoid looks at each score alone"
CHANGES = [
    (
        "weights = scores.masked_fill(~mask & ~nothing, -math.inf).softmax(dim=1).masked_fill(nothing, 0.0)",
        "weights = scores.masked_fill(~mask & ~nothing, -math.inf).sigmoid().masked_fill(nothing, 0.0)",
    ),
]
