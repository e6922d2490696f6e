"""Subtracts the scores from the maximum, so the smallest score wins."""

SAYS = "sign of the scores"
CHANGES = [
    (
        "exponentials = (scores - highest.masked_fill(highest == -math.inf, 0.0)).exp()",
        "exponentials = (scores.amin(-1, keepdim=True) - scores).exp()",
    ),
]
