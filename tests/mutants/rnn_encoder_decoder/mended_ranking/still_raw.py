"""Mends the count only."""

SAYS = "before it is divided"
CHANGES = [
    (
        "in hypotheses]",
        "in sorted(hypotheses, key=lambda pair: pair[1], reverse=True)]",
    ),
    (
        "return sorted(ranked, key=lambda pair: pair[1], reverse=True)",
        "return ranked",
    ),
]
