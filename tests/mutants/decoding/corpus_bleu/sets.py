"""Counts different n-grams."""

SAYS = "`set` in the place of counts"
CHANGES = [
    (
        "return Counter(tuple(tokens[start : start + n]) for start in range(len(tokens) - n + 1))",
        "return Counter({tuple(tokens[start : start + n]) for start in range(len(tokens) - n + 1)})",
    )
]
