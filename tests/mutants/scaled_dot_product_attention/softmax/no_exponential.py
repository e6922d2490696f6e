"""Divides the scores by their sum: a share of the total."""

SAYS = "without the exponential"
CHANGES = [
    ("exponentials = (scores - highest.masked_fill(highest == -math.inf, 0.0)).exp()", "exponentials = scores"),
]
