"""Uses powers of 2 in the place of powers of e."""

SAYS = "powers of 2"
CHANGES = [
    (
        "exponentials = (scores - highest.masked_fill(highest == -math.inf, 0.0)).exp()",
        "exponentials = (scores - highest.masked_fill(highest == -math.inf, 0.0)).exp2()",
    ),
]
