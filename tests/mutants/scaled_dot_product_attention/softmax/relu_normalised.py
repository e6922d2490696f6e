"""Makes scores positive by cutting off the negative ones."""

SAYS = "negative scores are cut off"
CHANGES = [
    ("exponentials = (scores - highest.masked_fill(highest == -math.inf, 0.0)).exp()", "exponentials = scores.relu()"),
]
