"""Goes by way of the logarithm."""

CHANGES = [
    (
        "return ((5 + length) / 6) ** alpha",
        """import math

    return math.exp(alpha * math.log((5 + length) / 6))""",
    ),
]
