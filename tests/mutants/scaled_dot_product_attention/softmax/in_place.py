"""Subtracts the maximum from the caller's own tensor."""

SAYS = "works in place"
CHANGES = [
    (
        "exponentials = (scores - highest.masked_fill(highest == -math.inf, 0.0)).exp()",
        """scores.sub_(highest.masked_fill(highest == -math.inf, 0.0))
    exponentials = scores.exp()""",
    ),
]
