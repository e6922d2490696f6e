"""Returns shares of the score."""

SAYS = "size of the complete score"
CHANGES = [
    ("drops.append(complete - evaluate())", "drops.append((complete - evaluate()) / abs(complete))"),
]
