"""Does not divide by the sum."""

SAYS = "not divided by their sum"
CHANGES = [
    (
        "weights = scores.masked_fill(~mask & ~nothing, -math.inf).softmax(dim=1).masked_fill(nothing, 0.0)",
        "weights = scores.masked_fill(~mask & ~nothing, -math.inf).exp().masked_fill(nothing, 0.0)",
    ),
]
