"""Changes nothing."""

SAYS = "both bugs"
CHANGES = [
    (
        "(4 + len(tokens))",
        "(5 + len(tokens))",
    ),
    (
        "in hypotheses]",
        "in sorted(hypotheses, key=lambda pair: pair[1], reverse=True)]",
    ),
    (
        "return sorted(ranked, key=lambda pair: pair[1], reverse=True)",
        "return ranked",
    ),
]
