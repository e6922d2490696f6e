"""Writes the formula as it stands and trusts in floating-point numbers."""

SAYS = "as they are"
CHANGES = [
    ("exponentials = (scores - highest.masked_fill(highest == -math.inf, 0.0)).exp()", "exponentials = scores.exp()"),
]
