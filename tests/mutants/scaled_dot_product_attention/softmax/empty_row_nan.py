"""Has not thought of a row that holds nothing but -inf."""

SAYS = "no finite maximum"
CHANGES = [
    (
        "exponentials = (scores - highest.masked_fill(highest == -math.inf, 0.0)).exp()",
        "exponentials = (scores - highest).exp()",
    ),
]
